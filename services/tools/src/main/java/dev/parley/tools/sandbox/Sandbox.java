package dev.parley.tools.sandbox;

import dev.parley.platform.clock.Deadline;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.sandbox.child.SandboxMessage;
import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import dev.parley.tools.sandbox.child.ScriptLanguage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
 * Runs scripts of one language, each in its own process that is used once, so that calls share no state. Processes are
 * started ahead of the next calls, so that a call does not wait for one. Unused processes end after 10 minutes.
 */
public final class Sandbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    private final ScriptLanguage language;
    private final @Nullable Path folder;
    private final Limits limits;
    private final SandboxSlots slots;
    private final ArrayBlockingQueue<SandboxProcess> spare;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private @Nullable List<String> command;
    private volatile boolean closed;

    /**
     * The limits of scripts.
     *
     * @param heapMiB the maximum heap
     * @param time the maximum run time
     * @param atOnce the maximum concurrent scripts of one language; further ones wait
     * @param spare the number of processes that are started ahead
     */
    public record Limits(int heapMiB, Duration time, int atOnce, int spare) {
        /** The limits of tools. */
        public static final Limits DEFAULT = new Limits(128, Duration.ofSeconds(30), 4, 2);

        /** Two CPUs for the maximum run time, plus the start. */
        int cpuSeconds() {
            return Math.toIntExact(2 * time.toSeconds() + 10);
        }
    }

    /** A sandbox for a language on this process's class path. Starts no process yet. */
    public Sandbox(ScriptLanguage language, Limits limits) {
        this(language, null, limits);
    }

    /** @param folder the folder with the language, or null if it is on this process's class path */
    public Sandbox(ScriptLanguage language, @Nullable Path folder, Limits limits) {
        this.language = language;
        this.folder = folder;
        this.limits = limits;
        this.slots = new SandboxSlots(limits.atOnce());
        this.spare = new ArrayBlockingQueue<>(limits.spare());
    }

    /**
     * Runs a script. If no process can be started, the answer reports that, and the log has the cause.
     *
     * @param owner the owner of the concurrency slot; no owner gets all slots
     * @param request the script; its time limit is set here
     * @param end the deadline of the caller, which includes the wait for a slot
     */
    public Response run(UUID owner, Request request, Deadline end) throws InterruptedException {
        if (!slots.acquire(owner, end)) {
            return new Response(true, "too many run at once; try again later");
        }
        try (SandboxProcess process = acquire()) {
            within(end.left(), () -> {
                process.awaitReady();
                return true;
            });
            Duration limit = end.left(limits.time());
            return within(limit, () -> process.run(request.within(limit.plusSeconds(1))));
        } catch (TimeoutException e) {
            return new Response(true, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("language", language).setCause(e).log("sandbox process could not be started");
            return new Response(true, "it cannot be started; the log of the tool worker says why");
        } finally {
            slots.release(owner);
            runLater(this::refill); // now that the CPU is free
        }
    }

    /** Runs a script as a tool call. */
    public ToolOutput output(ToolCallContext call, Request request) throws InterruptedException {
        if (request.arguments().getBytes(StandardCharsets.UTF_8).length > SandboxMessage.MAX_BYTES) {
            return new ToolOutput.Failed("the arguments are longer than 1 MiB");
        }
        Response response = run(call.host(), request, call.cancellation().deadline());
        return response.failed() ? new ToolOutput.Failed(response.text()) : new ToolOutput.Text(response.text());
    }

    /**
     * Runs blocking work on another thread, so that an interrupt ends the wait: reading from a process ignores
     * interrupts.
     */
    private <T> T within(Duration time, Callable<T> work) throws IOException, InterruptedException, TimeoutException {
        try {
            return threads.submit(work).get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TimeoutException("it was ended after %d ms".formatted(time.toMillis()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    /** A spare process, or a new one. */
    private SandboxProcess acquire() throws IOException {
        SandboxProcess process = spare.poll();
        while (process != null && !process.isAlive()) { // it ended unused
            process = spare.poll();
        }
        return process == null ? start() : process;
    }

    /** Starts spare processes; one that cannot be started now is started by its call. */
    private void refill() {
        try {
            while (!closed && spare.remainingCapacity() > 0) {
                SandboxProcess next = start();
                if (!spare.offer(next)) {
                    next.close();
                }
            }
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("sandbox process could not be started ahead");
        }
        if (closed) {
            closeSpares();
        }
    }

    private SandboxProcess start() throws IOException {
        return SandboxProcess.start(command());
    }

    private synchronized List<String> command() throws IOException {
        List<String> cached = command;
        if (cached == null) {
            cached = SandboxCommand.of(language, folder, limits.heapMiB(), limits.cpuSeconds());
            command = cached;
        }
        return cached;
    }

    private void runLater(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    private void closeSpares() {
        for (SandboxProcess process = spare.poll(); process != null; process = spare.poll()) {
            process.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        closeSpares();
    }
}
