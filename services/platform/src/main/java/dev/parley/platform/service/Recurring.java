package dev.parley.platform.service;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task repeatedly on its own thread, with a pause between runs. A failed run is retried after the pause and
 * logged once until the next success. It does not affect readiness.
 */
public abstract class Recurring implements Service {
    /**
     * Time for which {@link #close} waits for a running pass before it interrupts it. An interrupt closes the connection
     * on which a thread waits, so that the database's answer is lost, and the log has errors about it.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Time for which {@link #close} waits for an interrupted pass to end. */
    private static final Duration INTERRUPTED_TIMEOUT = Duration.ofSeconds(1);

    private final Logger log = LoggerFactory.getLogger(getClass());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final String name;
    private final Duration first;
    private final String failure;
    private volatile boolean failing;
    private @Nullable Thread thread;

    /**
     * @param first delay of the first pass
     * @param failure log message of a failed pass, which "; retrying" follows
     */
    protected Recurring(String name, Duration first, String failure) {
        this.name = name;
        this.first = first;
        this.failure = failure;
    }

    /** One run of the task. */
    protected abstract void pass() throws IOException, InterruptedException;

    /**
     * The pause after a pass.
     *
     * @param failed whether the pass threw an exception
     */
    protected abstract Duration rest(boolean failed);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name(name).start(this::run);
    }

    private void run() {
        try {
            Duration pause = first;
            while (!closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                tryPass();
                pause = rest(failing);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a pass in the calling thread; logs a failure. */
    protected final void tryPass() {
        try {
            pass();
            failing = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | IOException e) {
            if (!failing && !isClosing()) { // what it uses may end with it
                log.atWarn().setCause(e).log("{}; retrying", failure);
            }
            failing = true;
        }
    }

    /** Whether a long pass should end early. */
    protected final boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Ends the repetition: nothing is left to do. */
    protected final void finish() {
        closing.countDown();
    }

    @Override
    public final Optional<String> problem() {
        return Optional.empty();
    }

    /** Ends the repetition. A running pass has 2 s, and 1 s more once it is interrupted; it must be safe to repeat. */
    @Override
    public void close() {
        finish();
        if (thread == null) {
            return;
        }
        try {
            if (!thread.join(TIMEOUT)) {
                thread.interrupt();
                thread.join(INTERRUPTED_TIMEOUT);
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
