package dev.parley.memory.erasure;

import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for banks of deleted agents that what was on its way has opened once more. Any instance does; a bank that is told twice
 * forgets once.
 */
public final class LateMemories implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(LateMemories.class);
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final ErasedMemories erased;
    private volatile boolean stopped;
    private @Nullable Thread thread;

    public LateMemories(ErasedMemories erased) {
        this.erased = erased;
    }

    @Override
    public String name() {
        return "late-memories";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name(name()).start(this::run);
    }

    private void run() {
        boolean failed = false;
        try {
            while (!stopped) {
                try {
                    int late = erased.ofLate();
                    if (late > 0) {
                        LOG.info("{} banks of deleted agents were told to forget what came late", late);
                    }
                    erased.forgetDeletedBefore(Instant.now().minus(Topics.logKept()));
                    failed = false;
                } catch (RuntimeException e) {
                    if (!failed) {
                        LOG.atWarn()
                                .setCause(e)
                                .log("memories of deleted agents cannot be looked for; it is tried again");
                    }
                    failed = true;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody waits for it. */
    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
