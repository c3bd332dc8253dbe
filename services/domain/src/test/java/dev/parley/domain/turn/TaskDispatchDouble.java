package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.turn.SimulatedSession.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Double of a task and its dispatch: a partition in a process, with steps of records and of results in memory, calls
 * offered at once, and a transaction that is committed or aborted.
 */
final class TaskDispatchDouble {
    private static final Duration SOON = Duration.ofMillis(15);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private final DispatchSimulation world;
    private final SimulatedPartition partition;
    private final LocalDispatchDouble worker;
    private final Map<RecordKey, SimulatedSession> sessions = new TreeMap<>();
    private final Map<RecordKey, Instant> due = new TreeMap<>();
    private final Set<RecordKey> underWay = new HashSet<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final Deque<Runnable> refused = new ArrayDeque<>();
    private final String before;
    private List<Answer> uncommitted = new ArrayList<>();
    private Transaction transaction = new Transaction();
    private int position;
    private @Nullable Instant commitAt;
    private @Nullable Instant nextRound;
    private boolean fenced;
    private boolean closed;

    /** The records and steps that are committed together, or not at all. */
    private static final class Transaction {
        private final List<Step> steps = new ArrayList<>();
        private final List<TurnEvent> events = new ArrayList<>();
        private final List<Runnable> records = new ArrayList<>();
        private final List<Runnable> hooks = new ArrayList<>();
        private boolean committed;
    }

    private record Answer(RecordKey key, CallResult result, String question, Transaction asked, Runnable byTopic) {}

    /** Receives the results of one call. */
    private final class CallAsker implements LocalDispatchDouble.Asker {
        private final RecordKey key;
        private final Transaction asked = transaction;

        CallAsker(RecordKey key) {
            this.key = key;
        }

        @Override
        public boolean offer(CallResult answer, String question, Runnable byTopic) {
            if (closed) {
                return !asked.committed; // the request was aborted
            }
            answers.add(new Answer(key, answer, question, asked, byTopic));
            wake(world.now());
            return true;
        }

        @Override
        public boolean isCommitted() {
            return asked.committed;
        }
    }

    TaskDispatchDouble(DispatchSimulation world, SimulatedPartition partition, LocalDispatchDouble worker) {
        this.world = world;
        this.partition = partition;
        this.worker = worker;
        position = partition.committed();
        before = partition.owner().equals(worker.process()) ? "" : partition.owner();
        partition.eachSession((key, steps) -> {
            SimulatedSession session = SimulatedSession.of(key, steps);
            sessions.put(key, session);
            arm(session);
            if (!before.isEmpty()
                    && !TurnMachine.retriesOfLostCalls(session.state()).isEmpty()) {
                underWay.add(key);
            }
        });
        takeOver(10);
        wake(world.now());
    }

    LocalDispatchDouble worker() {
        return worker;
    }

    boolean isClosed() {
        return closed;
    }

    Map<RecordKey, SimulatedSession> sessions() {
        return sessions;
    }

    // ---- rounds

    /** Schedules a round, for a new record or answer or a due commit. */
    void wake(Instant time) {
        if (!closed && (nextRound == null || time.isBefore(nextRound))) {
            nextRound = time;
            world.at(time, () -> round(time));
        }
    }

    private void round(Instant time) {
        if (closed || !time.equals(nextRound)) {
            return;
        }
        nextRound = null;
        while (!refused.isEmpty()) {
            refused.remove().run();
        }
        for (int remaining = 1 + world.random(4); remaining > 0 && !closed && position < partition.end(); remaining--) {
            SimulatedPartition.Arrival record = partition.record(position++);
            step(record.to(), record.input(), record.question());
        }
        for (int remaining = 1 + world.random(4); remaining > 0 && !closed && !answers.isEmpty(); remaining--) {
            Answer answer = answers.remove();
            uncommitted.add(answer);
            step(answer.key(), answer.result(), answer.question());
        }
        if (closed) {
            return;
        }
        boolean busy = position < partition.end() || !answers.isEmpty();
        if (commitAt != null && !commitAt.isAfter(world.now()) && (!busy || world.chance(30))) {
            commit();
        } else if (busy) {
            wake(world.now().plusMillis(1));
        } else if (commitAt != null) {
            wake(commitAt);
        }
    }

    Optional<Instant> firstDue() {
        return due.values().stream().min(Instant::compareTo);
    }

    void tick() {
        List.copyOf(due.keySet()).stream()
                .filter(key -> !closed && due.containsKey(key) && !due.get(key).isAfter(world.now()))
                .forEach(key -> step(key, new TurnInput.Tick(), null));
        wakeForCommit();
    }

    /** Handles calls in memory of the previous process as lost, once its end is known. */
    private void takeOver(int attemptsLeft) {
        if (underWay.isEmpty() || attemptsLeft == 0) {
            return;
        }
        world.after(world.moment(LOOK_AGAIN), () -> {
            if (closed || !world.isGone(before)) {
                takeOver(closed ? 0 : attemptsLeft - 1);
                return;
            }
            for (RecordKey key : underWay) {
                for (CallResult lost :
                        TurnMachine.retriesOfLostCalls(sessions.get(key).state())) {
                    step(key, lost, null);
                    if (closed) {
                        return;
                    }
                }
            }
            underWay.clear();
            wakeForCommit();
        });
    }

    private void wakeForCommit() {
        if (commitAt != null) {
            wake(commitAt);
        }
    }

    // ---- steps

    private void step(RecordKey key, TurnInput input, @Nullable String question) {
        if (closed) {
            return;
        }
        SimulatedSession session = sessions.computeIfAbsent(key, SimulatedSession::new);
        var step = new Step(key, input, question, world.now(), world.people().definitions());
        transaction.steps.add(step);
        TurnDecision decisions = session.take(step);
        decisions.effects().forEach(effect -> execute(session, effect));
        transaction.events.addAll(decisions.events());
        arm(session);
        commitWithin(world.age());
        world.mayFail(this, partition);
    }

    private void arm(SimulatedSession session) {
        RecordKey key = session.stored().key();
        TurnMachine.nextDue(session.state()).ifPresentOrElse(time -> due.put(key, time), () -> due.remove(key));
    }

    private void commitWithin(Duration delay) {
        Instant time = world.now().plus(delay);
        commitAt = commitAt == null || time.isBefore(commitAt) ? time : commitAt;
    }

    private void execute(SimulatedSession session, TurnEffect effect) {
        RecordKey key = session.stored().key();
        switch (effect) {
            case TurnEffect.RequestModel call ->
                request(
                        key,
                        new LocalDispatchDouble.Ask(
                                call.callId(),
                                call.attempt(),
                                key,
                                session.question(call),
                                true,
                                now -> world.workers().model(call, now.now())));
            case TurnEffect.RequestTool call -> {
                ToolRequest request = call.request();
                request(
                        key,
                        new LocalDispatchDouble.Ask(
                                request.callId(),
                                request.attempt(),
                                key,
                                SimulatedSession.question(request),
                                !request.name().equals(DispatchSimulation.AT_MOST_ONCE),
                                now -> world.workers().tool(request, now.now())));
            }
            case TurnEffect.CancelModel stop ->
                stop(stop.callId(), world.workers().lastWords(stop.callId(), 1));
            case TurnEffect.CancelTool stop -> stop(stop.callId(), cancelled(stop.callId()));
            case TurnEffect.SendCommand _, TurnEffect.SendResult _, TurnEffect.DeliverReply _ -> {
                commitWithin(Duration.ZERO);
                transaction.records.add(() -> world.release(key, effect));
            }
            case TurnEffect.SendContext seed -> {
                commitWithin(Duration.ZERO);
                var pieces = world.pieces(session.stored(), seed);
                transaction.records.add(() -> {
                    world.release(key, seed);
                    pieces.forEach(piece -> world.append(seed.to(), piece, null));
                });
            }
            case TurnEffect.SendOutcome send -> {
                commitWithin(send.outcome() instanceof Outcome.Accepted ? SOON : Duration.ZERO);
                var actions = world.chance(50) ? transaction.records : transaction.hooks;
                actions.add(() -> world.release(key, effect));
            }
            case TurnEffect.PublishDelta _ -> commitWithin(SOON);
            case TurnEffect.SendBankCommand _,
                    TurnEffect.ReportTakeOver _,
                    TurnEffect.StoreEntry _,
                    TurnEffect.DeleteEntries _,
                    TurnEffect.RequestRule _,
                    TurnEffect.EraseSession _,
                    TurnEffect.StoreOutcome _ -> {}
        }
    }

    private List<ScriptedWorkers.Late> cancelled(UUID callId) {
        var answer = new ToolAnswered(callId, 1, ToolStatus.ERROR, "error: cancelled");
        return world.chance(50) ? List.of() : List.of(new ScriptedWorkers.Late(Duration.ofMillis(5), answer));
    }

    private void stop(UUID callId, List<ScriptedWorkers.Late> lastWords) {
        commitWithin(Duration.ZERO);
        if (!worker.cancel(callId, lastWords)) {
            transaction.records.add(() -> world.cancelByTopic(callId, lastWords));
        }
    }

    /** Offers a repeatable call at once, any other after the commit; sends it to its topic if it cannot run here. */
    private void request(RecordKey key, LocalDispatchDouble.Ask call) {
        var asker = new CallAsker(key);
        transaction.records.add(() -> world.asked(call));
        if (!world.isLocal(call)) {
            askByTopic(call);
        } else if (call.repeatable()) {
            if (!worker.offer(call, asker)) {
                askByTopic(call);
            }
        } else {
            commitWithin(Duration.ZERO);
            transaction.hooks.add(() -> {
                if (!worker.offer(call, asker)) {
                    refused.add(() -> askByTopic(call));
                    wake(world.now().plusMillis(1));
                }
            });
        }
    }

    private void askByTopic(LocalDispatchDouble.Ask call) {
        commitWithin(Duration.ZERO);
        transaction.records.add(() -> world.askByTopic(call));
    }

    // ---- ends of a transaction

    /** Commits, unless the broker refuses. The process may die before or after. */
    void commit() {
        if (fenced || world.refusesCommit()) {
            abort();
            return;
        }
        Transaction finished = transaction;
        transaction = new Transaction();
        commitAt = null;
        uncommitted = new ArrayList<>();
        finished.committed = true;
        partition.commit(position, worker.process(), finished.steps);
        finished.events.forEach(world::happened);
        finished.records.forEach(Runnable::run);
        if (world.diesBeforeHooks(worker)) {
            world.hooksLost(finished.hooks.size());
            return;
        }
        finished.hooks.forEach(Runnable::run);
        wake(world.now().plusMillis(1));
    }

    /** Moves the partition after a last commit; later results are sent to their topic. */
    void handOver() {
        if (commitAt != null) {
            commit();
        }
        if (!closed) {
            close();
        }
    }

    /** Aborts the running transaction. */
    void abort() {
        close();
        if (!fenced) {
            world.startTask(partition, worker);
        }
    }

    /** Assigns the partition to another process without notice to this one. */
    void fence() {
        fenced = true;
        commitWithin(Duration.ofMillis(world.random(20_000)));
        wakeForCommit();
    }

    /** The process has died; its memory is lost. */
    void lost() {
        closed = true;
    }

    private void close() {
        closed = true;
        due.clear();
        uncommitted.addAll(answers);
        uncommitted.stream()
                .filter(answer -> answer.asked().committed)
                .forEach(answer -> answer.byTopic().run());
    }
}
