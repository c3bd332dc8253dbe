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
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In-process calls of one stream task.
 *
 * <pre>
 *   process(record) ──► step ──► ask ──────────► LocalWorker     (no record, no commit)
 *                        ▲  │                        │
 *                drain ──┘  ├─► forward, put         ▼
 *                  ▲        │              offer ◄── answer
 *                  └────────┼────────────────┘
 *                           └─► afterCommit ──► outcomes, at-most-once calls
 * </pre>
 *
 * A step processes a record or an answer. Its calls to workers of this process are handed over at once; effects that must wait for the
 * commit run in commit hooks. When the task closes, its calls continue: pending answers, and answers whose step is not committed, go by
 * their topic to the next owner of the partition. An answer to a call of an uncommitted step is dropped: the step is repeated, and may
 * make another call with the same id. So no answer is lost, and a repeated call changes nothing.
 *
 * <p>All methods are the stream thread's, except those of {@link Answers}.
 */
public final class TaskDispatch implements AutoCloseable {
    /** Maximum time that a step stays uncommitted. */
    public static final Duration AGE = Duration.ofMillis(50);

    /** Maximum time of one drain, so that records, other tasks and the commit get their turn. */
    private static final long DRAINING = TimeUnit.MILLISECONDS.toNanos(5);

    /** Time that an idle thread waits for answers that are about to come. */
    private static final long LINGER = TimeUnit.MICROSECONDS.toNanos(300);

    private static final Logger LOG = LoggerFactory.getLogger(TaskDispatch.class);

    private final LocalDispatch localDispatch;
    private final ProcessorContext<?, ?> context;
    private final StreamThread loop = StreamThread.current();
    private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final Step step;
    /** Answers whose steps are not committed. */
    private List<Answer> uncommitted = new ArrayList<>();

    /** Requests that found no room after the commit: each goes by its topic. */
    private final Queue<Runnable> refused = new ArrayDeque<>();

    private long transaction = -1;
    /** In which an outcome was told in memory last. */
    private long told = -1;

    /** The newest committed transaction of this task; all before it are committed, too. */
    private volatile long committed = -1;

    private int steps;
    private boolean asked;
    private boolean closed;

    /** Makes a step of an answer. It does not fail. */
    @FunctionalInterface
    public interface Step {
        void take(Answer answer);
    }

    /**
     * An answer that came in memory.
     *
     * @param key of the asker
     * @param unshown what watchers of the turn are to be shown with it
     * @param byTopic sends it by its topic, if it answers what was asked by a committed step
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
        // The shortest interval that there is: the thread drains in each of its rounds, and a round ends when an answer
        // comes.
        context.schedule(Duration.ofMillis(1), PunctuationType.WALL_CLOCK_TIME, _ -> drain());
    }

    // ---- asking

    /**
     * Asks a worker of this process: at once, or after the commit where the call must not be made for a step that may never have
     * been.
     *
     * @param byTopic sends the request by its topic, if there is no worker here or it has no room
     */
    public <W> void ask(Topic<? super W> topic, RecordKey key, W request, @Nullable String trace, Runnable byTopic) {
        LocalWorker<W> worker = localDispatch.worker(topic);
        if (worker == null) {
            byTopic.run();
            return;
        }
        enlist();
        String asker = key.toString();
        var here = new Asker(key, trace, loop.transaction());
        if (worker.isRepeatable(request, asker)) {
            boolean taken = worker.take(request, asker, trace, here);
            localDispatch.count(topic, taken);
            if (taken) {
                asked = true;
            } else {
                byTopic.run();
            }
        } else {
            loop.want(Duration.ZERO);
            loop.afterCommit(() -> {
                boolean taken = worker.take(request, asker, trace, here);
                localDispatch.count(topic, taken);
                if (!taken) {
                    refused.add(byTopic);
                }
            });
        }
    }

    /** Stops a call of a worker of this process. @return false where it is under way elsewhere, if at all */
    public boolean cancel(Topic<?> topic, UUID callId) {
        LocalWorker<?> worker = localDispatch.worker(topic);
        return worker != null && worker.cancel(callId);
    }

    /**
     * Tells whoever waits for an outcome in this process, after the commit. Who waits for the end of a turn may be known by an outcome
     * of the same transaction only: those after it are told here in any case, and in their order.
     *
     * @return false where nobody here is known to wait: the outcome has to go by its topic
     */
    public boolean tell(int partition, Outcome outcome) {
        LocalOutcomes waiters = localDispatch.outcomes();
        if (waiters == null) {
            return false;
        }
        boolean awaited = waiters.isAwaited(partition, outcome);
        if (awaited || told == loop.transaction()) {
            told = loop.transaction();
            loop.afterCommit(() -> waiters.tell(outcome));
        }
        return awaited;
    }

    // ---- steps

    /** Somebody waits for the commit of the running step, and can wait for so long. */
    public void wantCommit(Duration within) {
        loop.want(within);
    }

    /** A record was processed: answers that wait are taken, too, and all is committed if it is time. */
    public void processed() {
        loop.processed();
        stepped();
        drain();
    }

    /** Makes steps of the answers that wait, or are about to come, and commits if it is time. */
    private void drain() {
        if (closed) {
            return;
        }
        while (!refused.isEmpty()) {
            refused.remove().run();
            stepped();
        }
        long until = System.nanoTime() + DRAINING;
        for (Answer answer = next(); answer != null; answer = System.nanoTime() < until ? next() : null) {
            loop.waiting(-1);
            uncommitted.add(answer);
            step.take(answer);
            stepped();
        }
        if (loop.takeCommit()) {
            context.commit();
        }
    }

    private @Nullable Answer next() {
        Answer there = answers.poll();
        if (there != null || !asked || loop.isBusy()) {
            return there;
        }
        asked = false;
        try {
            return answers.poll(LINGER, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void stepped() {
        steps++;
        loop.want(AGE);
        enlist();
    }

    /** Whatever is done in the running transaction, its commit is heard of. */
    private void enlist() {
        long running = loop.transaction();
        if (transaction != running) {
            transaction = running;
            loop.afterCommit(() -> committed(running));
        }
    }

    private void committed(long done) {
        committed = done;
        localDispatch.committed(steps);
        steps = 0;
        uncommitted = new ArrayList<>();
    }

    // ---- any thread

    /** Takes the answers of a call. */
    private final class Asker implements Answers {
        private final RecordKey key;
        private final @Nullable String trace;
        private final long asked;

        /** @param asked the transaction in which the call was asked for */
        Asker(RecordKey key, @Nullable String trace, long asked) {
            this.key = key;
            this.trace = trace;
            this.asked = asked;
        }

        @Override
        public boolean offer(CallResult answer, List<TurnDelta> unshown, Runnable byTopic) {
            synchronized (answers) {
                if (closed) {
                    return !isCommitted(); // nobody has asked, then
                }
                answers.add(new Answer(key, answer, unshown, trace, () -> sendIfAsked(byTopic)));
            }
            loop.waiting(1);
            return true;
        }

        private void sendIfAsked(Runnable byTopic) {
            if (isCommitted()) {
                byTopic.run();
            }
        }

        @Override
        public boolean isCommitted() {
            return asked <= committed;
        }
    }

    /** Calls go on, and answer by their topic; so do those whose answers have not been committed. */
    @Override
    public void close() {
        synchronized (answers) {
            closed = true;
        }
        loop.waiting(-answers.size());
        uncommitted.addAll(answers);
        uncommitted.forEach(TaskDispatch::sendByTopic);
    }

    private static void sendByTopic(Answer answer) {
        try {
            answer.byTopic().run();
        } catch (RuntimeException e) { // the worker has stopped: the call is asked again
            LOG.atWarn()
                    .addKeyValue("call", answer.result().callId())
                    .setCause(e)
                    .log("an answer could not be sent by its topic");
        }
    }
}
