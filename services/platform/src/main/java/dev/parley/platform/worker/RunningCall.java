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
import dev.parley.platform.dispatch.Answers;
import dev.parley.platform.worker.Cancellation.Reason;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call from the moment it is claimed until its result is acknowledged. */
final class RunningCall {
    private static final Logger LOG = LoggerFactory.getLogger(RunningCall.class);

    private final Work.Ask ask;
    private final CallContext context;
    private final CallHandler.Execution execution;
    private final int bytes;
    private final Runnable whenFinished;
    private final long started = System.nanoTime();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile int attempt;
    private volatile long lastSign = started;
    private volatile long cancelled;
    private volatile @Nullable Answers answers;
    private @Nullable Thread thread;

    /**
     * @param bytes of its request
     * @param answers takes its answers in memory; null where they go by their topic
     * @param whenFinished what is to be done when the answer is safe
     */
    RunningCall(
            Work.Ask ask,
            CallContext context,
            CallHandler.Execution execution,
            int bytes,
            @Nullable Answers answers,
            Runnable whenFinished) {
        this.answers = answers;
        this.ask = ask;
        this.context = context;
        this.execution = execution;
        this.bytes = bytes;
        this.whenFinished = whenFinished;
        this.attempt = ask.attempt();
    }

    UUID callId() {
        return ask.callId();
    }

    Work.Ask ask() {
        return ask;
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

    /** Whether its next sign of life is due; if so, the one after is due in another interval. */
    boolean signDue(long interval) {
        long now = System.nanoTime();
        if (claimed.get() || now - lastSign < interval) {
            return false;
        }
        lastSign = now;
        return true;
    }

    /** Whether it was cancelled longer ago than this, and has not answered. */
    boolean overdue(long grace) {
        return !claimed.get() && cancelled != 0 && System.nanoTime() - cancelled > grace;
    }

    /**
     * The asker asked again although the call goes on: it is answered as the newer attempt, and where it was asked for last. False
     * when it is too late, and where nobody knows whether the same was asked: then this call is stopped, and never answers.
     */
    boolean adopt(int newer, @Nullable Answers here) {
        Answers before = answers;
        if (before != null && !before.isCommitted()) {
            claim();
            cancel(Reason.SHUTDOWN);
            return false;
        }
        answers = here;
        attempt = Math.max(attempt, newer);
        return !claimed.get();
    }

    /** Gives an answer in memory, with what is not shown yet. @return false where it has to go by its topic */
    boolean offer(CallResult answer, Runnable byTopic) {
        Answers here = answers;
        return here != null && here.offer(stamped(answer), execution.unshown(), byTopic);
    }

    /** Says in memory that the call goes on. @return false where that has to be said by its topic */
    boolean offerSign(CallProgress sign) {
        Answers here = answers;
        return here != null && here.offer(sign, List.of(), () -> {});
    }

    /** The right to answer: the first one has it. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Its answer is safe. */
    void finished() {
        whenFinished.run();
    }

    void progress() {
        try {
            execution.progress();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("call", callId()).setCause(e).log("heartbeat of a call failed");
        }
    }

    /** Interrupts the call and runs its hooks; it has a moment to hand in what it has. */
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

    /** From here on nothing interrupts the thread any more. */
    private synchronized void leave() {
        thread = null;
        Thread.interrupted();
    }

    /**
     * Carries the call out. Whatever happens there is a result, except where the JVM itself is at its end, as without
     * memory: that is nobody's result, and ends the process.
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

    /** The answer in place of the one that was not given. */
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

    /** The result as the answer to the newest attempt. */
    CallResult stamped(CallResult result) {
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
            case CallResult.Settled r -> new CallResult.Settled(r.callId(), newest, r.outcome(), r.by());
            case ChildFinished r -> new ChildFinished(r.callId(), newest, r.turnId(), r.state(), r.reply());
        };
    }
}
