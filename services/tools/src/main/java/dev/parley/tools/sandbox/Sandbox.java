package dev.parley.tools.sandbox;

import dev.parley.tools.sandbox.child.Language;
import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts of one language, each in a process of its own that is used once: nothing is left of a call for the next one. The
 * next processes are started ahead, so that a call waits for its script alone. Without calls there are no processes.
 */
public final class Sandbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    private final Language language;
    private final @Nullable Path folder;
    private final Limits limits;
    private final SandboxSlots places;
    private final ArrayBlockingQueue<Child> spare;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private @Nullable List<String> command;
    private volatile boolean closed;

    /**
     * What a script may use.
     *
     * @param heapMiB memory for its objects
     * @param time from its begin to its end
     * @param atOnce scripts of one language; further ones wait
     * @param spare processes that are started ahead
     */
    public record Limits(int heapMiB, Duration time, int atOnce, int spare) {
        /** As tools have it. */
        public static final Limits DEFAULT = new Limits(128, Duration.ofSeconds(30), 4, 2);

        /** Two processors at work all the time, and the start. */
        int cpuSeconds() {
            return Math.toIntExact(2 * time.toSeconds() + 10);
        }
    }

    /** Of a language on this process's class path. Starts nothing yet. */
    public Sandbox(Language language, Limits limits) {
        this(language, null, limits);
    }

    /** @param folder with the language, or null where it is on this process's class path */
    public Sandbox(Language language, @Nullable Path folder, Limits limits) {
        this.language = language;
        this.folder = folder;
        this.limits = limits;
        this.places = new SandboxSlots(limits.atOnce());
        this.spare = new ArrayBlockingQueue<>(limits.spare());
    }

    /**
     * Runs a script. Where no process can be started, that is the answer, and the log says why.
     *
     * @param owner for whom: nobody has all places
     * @param ask what is to be run; how long it may take is said here
     * @param time that the caller has; waiting for a place is part of it
     */
    public Answer run(UUID owner, Ask ask, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        if (!places.acquire(owner, time.toNanos())) {
            return new Answer(true, "too many run at once; try again later");
        }
        try (Child child = take()) {
            within(left(end), () -> {
                child.awaitReady();
                return true;
            });
            Duration most = left(end).compareTo(limits.time()) < 0 ? left(end) : limits.time();
            return within(most, () -> child.run(ask.within(most.plusSeconds(1))));
        } catch (TimeoutException e) {
            return new Answer(true, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("language", language).setCause(e).log("sandbox process could not be started");
            return new Answer(true, "it cannot be started; the log of the tool worker says why");
        } finally {
            places.release(owner);
            later(this::refill); // now that the processor is free
        }
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
    }

    /** Waits in a way that an interrupt ends: reading from a process is none. */
    private <T> T within(Duration time, Callable<T> work) throws IOException, InterruptedException, TimeoutException {
        try {
            return threads.submit(work).get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TimeoutException("it was ended after %d ms".formatted(time.toMillis()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        }
    }

    /** A process that waits for its script, or a new one. */
    private Child take() throws IOException {
        Child child = spare.poll();
        while (child != null && !child.isAlive()) { // nobody needed it for a while
            child = spare.poll();
        }
        return child == null ? start() : child;
    }

    /** Starts processes for the next calls; one that cannot be started now is started by its call. */
    private void refill() {
        try {
            while (!closed && spare.remainingCapacity() > 0) {
                Child next = start();
                if (!spare.offer(next)) {
                    next.close();
                }
            }
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("sandbox process could not be started ahead");
        }
        if (closed) {
            empty();
        }
    }

    private Child start() throws IOException {
        return Child.start(command());
    }

    private synchronized List<String> command() throws IOException {
        List<String> known = command;
        if (known == null) {
            known = ChildCommand.of(language, folder, limits.heapMiB(), limits.cpuSeconds());
            command = known;
        }
        return known;
    }

    private void later(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            // it is closed
        }
    }

    private void empty() {
        for (Child child = spare.poll(); child != null; child = spare.poll()) {
            child.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        empty();
    }
}
