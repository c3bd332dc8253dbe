package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.ChildFinished;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.Found;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.CallResult.WorkAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.dispatch.ResultReceiver;
import dev.parley.platform.worker.Cancellation.Reason;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call from the moment it is claimed until its result is acknowledged. */
final class RunningCall {
    private static final Logger LOG = LoggerFactory.getLogger(RunningCall.class);

    private final WorkerRequest.Call request;
    private final CallContext context;
    private final CallHandler.Execution execution;
    private final int bytes;
    private final Runnable onFinished;
    private final long started = System.nanoTime();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile int attempt;
    private volatile long lastHeartbeat = started;
    /** Nanoseconds for which the call may run; {@link #ran} counts them. */
    private final AtomicLong allowed;

    private volatile long cancelled;
    private volatile @Nullable ResultReceiver results;
    private @Nullable Thread thread;

    /**
     * @param bytes size of the request
     * @param results receives the result in memory; null where it goes to its topic
     * @param onFinished runs when the result is acknowledged
     */
    RunningCall(
            WorkerRequest.Call request,
            CallContext context,
            CallHandler.Execution execution,
            int bytes,
            @Nullable ResultReceiver results,
            Runnable onFinished) {
        this.results = results;
        this.request = request;
        this.context = context;
        this.execution = execution;
        this.bytes = bytes;
        this.onFinished = onFinished;
        this.attempt = request.attempt();
        this.allowed = new AtomicLong(context.cancellation().deadline().nanosLeft());
    }

    UUID callId() {
        return request.callId();
    }

    WorkerRequest.Call request() {
        return request;
    }

    CallContext context() {
        return context;
    }

    int bytes() {
        return bytes;
    }

    int attempt() {
        return attempt;
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    /**
     * The process ran for this time since it was last told. The time in which it was paused does not count, nor does a
     * clock that was set: neither is the tool's fault.
     *
     * @return whether the call has run for as long as it may
     */
    boolean ran(long nanos) {
        return allowed.addAndGet(-nanos) <= 0;
    }

    /** Whether its time has not passed. */
    boolean mayRun() {
        return allowed.get() > 0;
    }

    /** Whether a heartbeat is due; if so, the next one is due after another interval. */
    boolean heartbeatDue(long interval) {
        long now = System.nanoTime();
        if (claimed.get() || now - lastHeartbeat < interval) {
            return false;
        }
        lastHeartbeat = now;
        return true;
    }

    /** Whether the call was cancelled longer ago than the grace time, in nanoseconds, and has no result. */
    boolean overdue(long grace) {
        return !claimed.get() && cancelled != 0 && System.nanoTime() - cancelled > grace;
    }

    /**
     * Assigns the running call to a newer attempt and its receiver.
     *
     * @return false if it has its result already, or if its first request was not committed and may differ: it is then
     *     stopped without a result
     */
    boolean adopt(WorkerRequest.Call newer, @Nullable ResultReceiver receiver) {
        ResultReceiver before = results;
        if (before != null && !before.isCommitted()) {
            claim();
            cancel(Reason.SHUTDOWN);
            return false;
        }
        results = receiver;
        attempt = Math.max(attempt, newer.attempt());
        allowed.accumulateAndGet(Deadline.at(newer.deadline()).nanosLeft(), Math::max);
        return !claimed.get();
    }

    /** Delivers the result in memory, with unpublished deltas; returns false where it must go to its topic. */
    boolean offer(CallResult answer, Runnable byTopic) {
        ResultReceiver receiver = results;
        return receiver != null && receiver.offer(withNewestAttempt(answer), execution.unshown(), byTopic);
    }

    /** Delivers a heartbeat in memory; returns false where it must go to its topic. */
    boolean offerHeartbeat(CallProgress heartbeat) {
        ResultReceiver receiver = results;
        return receiver != null && receiver.offer(heartbeat, List.of(), () -> {});
    }

    /** Claims the right to complete the call; returns false if another thread has it. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** The result is acknowledged. */
    void finish() {
        onFinished.run();
    }

    void progress() {
        try {
            execution.progress();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("call", callId()).setCause(e).log("heartbeat of a call failed");
        }
    }

    /** Interrupts the call and runs its hooks; it may still return a result within the grace time. */
    void cancel(Reason reason) {
        if (context.cancellation().cancel(reason)) {
            cancelled = System.nanoTime();
            interrupt();
        }
    }

    private synchronized void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    private synchronized boolean enter() {
        thread = Thread.currentThread();
        return !context.cancellation().requested();
    }

    /** The thread is not interrupted after this. */
    private synchronized void leave() {
        thread = null;
        Thread.interrupted();
    }

    /**
     * Executes the call. It always has a result, except after a fatal error of the JVM, for example without memory,
     * which ends the process.
     */
    CallResult run() {
        try {
            return enter() ? execution.run() : failure("not started");
        } catch (InterruptedException e) {
            return failure("interrupted");
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            if (!context.cancellation().requested()) {
                LOG.atError()
                        .addKeyValue("call", callId())
                        .addKeyValue("session", context.key())
                        .setCause(e)
                        .log("call failed unexpectedly");
            }
            return failure(e.toString());
        } finally {
            leave();
        }
    }

    /** The result of a failed call. */
    CallResult failure(String detail) {
        return context.cancellation()
                .reason()
                .map(reason -> switch (reason) {
                    case CANCELLED -> execution.failure(ErrorCategory.CANCELLED, "cancelled");
                    case DEADLINE -> execution.failure(ErrorCategory.TIMEOUT, "did not answer in time");
                    case SHUTDOWN -> execution.failure(ErrorCategory.LOST, "the worker stopped");
                })
                .orElseGet(() -> execution.failure(ErrorCategory.UNKNOWN, detail));
    }

    /** The result with the number of the newest attempt. */
    CallResult withNewestAttempt(CallResult result) {
        int newest = attempt;
        return switch (result) {
            case ModelAnswered r -> r.withAttempt(newest);
            case ModelFailed r ->
                new ModelFailed(r.callId(), newest, r.category(), r.detail(), r.retryAfter(), r.partial());
            case ToolAnswered r ->
                new ToolAnswered(r.callId(), newest, r.status(), r.content(), r.files(), r.patches());
            case WorkAnswered r -> new WorkAnswered(r.callId(), newest, r.output(), r.error());
            case RetryAfter r -> new RetryAfter(r.callId(), newest, r.delay(), r.reason());
            case CallProgress r -> new CallProgress(r.callId(), newest, r.worker());
            case Embedded r -> new Embedded(r.callId(), newest, r.generation(), r.vectors());
            case Found r -> new Found(r.callId(), newest, r.sightings());
            case CallResult.Settled r -> new CallResult.Settled(r.callId(), newest, r.outcome(), r.by(), r.note());
            case ChildFinished r -> new ChildFinished(r.callId(), newest, r.turnId(), r.state(), r.reply());
        };
    }
}
