package dev.parley.platform.dispatch;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.kafka.Topic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In-process calls of one stream task.
 *
 * <pre>
 *   process(record) ──► step ──► request ──────► LocalWorker     (no record, no commit)
 *                        ▲  │                        │
 *                drain ──┘  ├─► forward, put         ▼
 *                  ▲        │              offer ◄── result
 *                  └────────┼────────────────┘
 *                           └─► afterCommit ──► outcomes, at-most-once calls
 * </pre>
 *
 * A step processes a record or a result. Its calls to workers of this process are handed over at once; effects that must
 * wait for the commit run in commit hooks. When the task closes, its calls continue: pending results, and results whose
 * step is not committed, go to their topic and the next owner of the partition. A result for a call of an uncommitted step
 * is dropped: the step is repeated, and may make another call with the same id. So no result is lost, and a repeated call
 * changes nothing.
 *
 * <p>Only the stream thread calls the methods, except those of {@link ResultReceiver}.
 */
public final class TaskDispatch implements AutoCloseable {
    /** Maximum time that a step stays uncommitted. */
    public static final Duration AGE = Duration.ofMillis(50);

    /** Maximum time of one drain, so that records, other tasks and the commit are not delayed. */
    private static final long DRAINING = TimeUnit.MILLISECONDS.toNanos(5);

    /** Time that an idle thread waits for the result of a quick call. */
    private static final long LINGER = TimeUnit.MICROSECONDS.toNanos(300);

    private static final Logger LOG = LoggerFactory.getLogger(TaskDispatch.class);

    private final LocalDispatch localDispatch;
    private final ProcessorContext<?, ?> context;
    private final StreamThread loop = StreamThread.current();
    private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final Step step;
    /** Results whose steps are not committed. */
    private List<Answer> uncommitted = new ArrayList<>();

    /** Sends requests to their topic that found no free slot after the commit. */
    private final Queue<Runnable> unplaced = new ArrayDeque<>();

    private long transaction = -1;
    /** The last transaction with an outcome for a caller of this process. */
    private long notified = -1;

    /** The newest committed transaction of this task; earlier ones are committed, too. */
    private volatile long committed = -1;

    private int steps;
    private boolean awaitsResult;
    private boolean closed;

    /** Processes a result as a step. It does not fail. */
    @FunctionalInterface
    public interface Step {
        void take(Answer answer);
    }

    /**
     * A result that was received in memory.
     *
     * @param key record key of the requester
     * @param unshown stream deltas that are published with it
     * @param byTopic sends it to its topic, if the step that requested it is committed
     */
    public record Answer(
            RecordKey key,
            CallResult result,
            List<TurnDelta> unshown,
            @Nullable String trace,
            Runnable byTopic) {}

    TaskDispatch(LocalDispatch localDispatch, ProcessorContext<?, ?> context, Step step) {
        this.localDispatch = localDispatch;
        this.context = context;
        this.step = step;
        // The shortest interval: the thread drains in each of its rounds, and a round ends when a result arrives.
        context.schedule(Duration.ofMillis(1), PunctuationType.WALL_CLOCK_TIME, _ -> drain());
    }

    /**
     * Hands a request to a worker of this process: at once if it is repeatable, otherwise after the commit of the step.
     *
     * @param byTopic sends the request to its topic, if there is no worker here or it has no free slot
     */
    public <W> void request(
            Topic<? super W> topic, RecordKey key, W request, @Nullable String trace, Runnable byTopic) {
        LocalWorker<W> worker = localDispatch.worker(topic);
        if (worker == null) {
            byTopic.run();
            return;
        }
        enlist();
        String requester = key.toString();
        var receiver = new Receiver(key, trace, loop.transaction());
        BooleanSupplier handOver = () -> {
            boolean accepted = worker.take(request, requester, trace, receiver);
            localDispatch.count(topic, accepted);
            return accepted;
        };
        if (worker.isRepeatable(request, requester)) {
            handOverNow(handOver, byTopic);
        } else {
            handOverAfterCommit(handOver, byTopic);
        }
    }

    /** @param handOver returns whether a worker took the request */
    private void handOverNow(BooleanSupplier handOver, Runnable byTopic) {
        if (handOver.getAsBoolean()) {
            awaitsResult = true;
        } else {
            byTopic.run();
        }
    }

    private void handOverAfterCommit(BooleanSupplier handOver, Runnable byTopic) {
        loop.requestCommit(Duration.ZERO);
        loop.afterCommit(() -> {
            if (!handOver.getAsBoolean()) {
                unplaced.add(byTopic);
            }
        });
    }

    /** Stops a call of a worker of this process; returns false if it does not run here. */
    public boolean cancel(Topic<?> topic, UUID callId) {
        LocalWorker<?> worker = localDispatch.worker(topic);
        return worker != null && worker.cancel(callId);
    }

    /**
     * Delivers an outcome to callers of this process after the commit. An earlier outcome of the same transaction may
     * register callers that wait for the end of its turn, so later ones are delivered in any case, and in order.
     *
     * @return false if no caller here is known to wait: the outcome must go to its topic
     */
    public boolean notifyWaiter(int partition, Outcome outcome) {
        OutcomeWaiters waiters = localDispatch.outcomes();
        if (waiters == null) {
            return false;
        }
        boolean awaited = waiters.isAwaited(partition, outcome);
        if (awaited || notified == loop.transaction()) {
            notified = loop.transaction();
            loop.afterCommit(() -> waiters.deliver(outcome));
        }
        return awaited;
    }

    /** Requests the commit of the running step within a time. */
    public void requestCommit(Duration within) {
        loop.requestCommit(within);
    }

    /** A record was processed: processes waiting results, too, and commits if that is due. */
    public void onProcessed() {
        loop.onProcessed();
        countStep();
        drain();
    }

    /** Processes results that wait or are about to arrive, and commits if that is due. */
    private void drain() {
        if (closed) {
            return;
        }
        while (!unplaced.isEmpty()) {
            unplaced.remove().run();
            countStep();
        }
        long deadline = System.nanoTime() + DRAINING;
        for (Answer answer = next(); answer != null; answer = System.nanoTime() < deadline ? next() : null) {
            loop.addWaiting(-1);
            uncommitted.add(answer);
            step.take(answer);
            countStep();
        }
        if (loop.takeCommit()) {
            context.commit();
        }
    }

    private @Nullable Answer next() {
        Answer waiting = answers.poll();
        if (waiting != null || !awaitsResult || loop.isBusy()) {
            return waiting;
        }
        awaitsResult = false;
        try {
            return answers.poll(LINGER, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void countStep() {
        steps++;
        loop.requestCommit(AGE);
        enlist();
    }

    /** Adds this task to the open transaction, whose commit it must see. */
    private void enlist() {
        long running = loop.transaction();
        if (transaction != running) {
            transaction = running;
            loop.afterCommit(() -> onCommitted(running));
        }
    }

    private void onCommitted(long completed) {
        committed = completed;
        localDispatch.recordCommit(steps);
        steps = 0;
        uncommitted = new ArrayList<>();
    }

    /** Receives the result of a call. */
    private final class Receiver implements ResultReceiver {
        private final RecordKey key;
        private final @Nullable String trace;
        private final long requested;

        /** @param requested the transaction in which the call was requested */
        Receiver(RecordKey key, @Nullable String trace, long requested) {
            this.key = key;
            this.trace = trace;
            this.requested = requested;
        }

        @Override
        public boolean offer(CallResult answer, List<TurnDelta> unshown, Runnable byTopic) {
            synchronized (answers) {
                if (closed) {
                    return !isCommitted(); // dropped: an uncommitted step has requested nothing
                }
                answers.add(new Answer(key, answer, unshown, trace, () -> sendIfCommitted(byTopic)));
            }
            loop.addWaiting(1);
            return true;
        }

        private void sendIfCommitted(Runnable byTopic) {
            if (isCommitted()) {
                byTopic.run();
            }
        }

        @Override
        public boolean isCommitted() {
            return requested <= committed;
        }
    }

    /** Sends results that are not committed to their topic; running calls will send theirs there. */
    @Override
    public void close() {
        synchronized (answers) {
            closed = true;
        }
        loop.addWaiting(-answers.size());
        uncommitted.addAll(answers);
        uncommitted.forEach(TaskDispatch::sendByTopic);
    }

    private static void sendByTopic(Answer answer) {
        try {
            answer.byTopic().run();
        } catch (RuntimeException e) { // the worker has stopped: the call is requested again
            LOG.atWarn()
                    .addKeyValue("call", answer.result().callId())
                    .setCause(e)
                    .log("an answer could not be sent by its topic");
        }
    }
}
