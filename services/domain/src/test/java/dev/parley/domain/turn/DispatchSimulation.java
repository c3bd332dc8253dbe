package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A random run, from one seed, of sessions in two partitions and of processes with workers. Processes die between any
 * two steps and before or after a commit, partitions move during calls, owners are fenced without notice, commits are
 * refused, calls are lost, repeated and answered twice, and workers have no free slots.
 */
final class DispatchSimulation {
    /** The tool whose calls are made at most once. */
    static final String AT_MOST_ONCE = "write";

    private static final int MAX_STEPS = 200_000;
    private static final UUID HOST = Ids.of("host");
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final SplittableRandom random;
    private final ScriptedPeople people;
    private final ScriptedWorkers workers;
    private final List<SimulatedPartition> partitions = List.of(new SimulatedPartition(), new SimulatedPartition());
    private final List<TaskDispatchDouble> tasks = new ArrayList<>();
    private final List<LocalDispatchDouble> processes = new ArrayList<>();
    private final Set<String> gone = new HashSet<>();
    private final Map<UUID, Row> ledger = new HashMap<>();
    private final Set<String> committedRequests = new HashSet<>();
    private final Map<RecordKey, List<TurnEffect>> released = new TreeMap<>();
    private final Map<UUID, RecordKey> commands = new HashMap<>();
    private final List<UUID> turns = new ArrayList<>();
    private final PriorityQueue<Action> actions =
            new PriorityQueue<>(Comparator.comparing(Action::time).thenComparingLong(Action::order));
    private final int local;
    private final Duration age;
    private final boolean quick;
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private long order;
    private int faults;
    private int lostHooks;

    private record Action(Instant time, long order, Runnable action) {}

    /** The ledger row of a call that may be made at most once. */
    static final class Row {
        private final LocalDispatchDouble.Running holder;
        private @Nullable CallResult result;

        Row(LocalDispatchDouble.Running holder) {
            this.holder = holder;
        }

        LocalDispatchDouble.Running holder() {
            return holder;
        }

        @Nullable
        CallResult result() {
            return result;
        }

        void ended(CallResult answer) {
            result = answer;
        }
    }

    DispatchSimulation(long seed) {
        random = new SplittableRandom(seed);
        people = new ScriptedPeople(random, HOST);
        workers = new ScriptedWorkers(random);
        faults = random.nextInt(8);
        local = List.of(100, 100, 70, 0).get(random.nextInt(4));
        age = Duration.ofMillis(chance(50) ? 50 : 2_000);
        quick = chance(60);
        for (int i = 0; i < 2; i++) {
            startProcess();
        }
    }

    /** Runs until nothing is in progress or due. */
    void run() {
        planCommands();
        partitions.forEach(partition -> startTask(partition, anyProcess()));
        for (int step = 0; step < MAX_STEPS; step++) {
            Optional<TaskDispatchDouble> first = tasks.stream()
                    .filter(task -> !task.isClosed() && task.firstDue().isPresent())
                    .min(Comparator.comparing(task -> task.firstDue().orElseThrow()));
            Instant due = first.flatMap(TaskDispatchDouble::firstDue).orElse(Instant.MAX);
            if (first.isPresent()
                    && (actions.isEmpty() || due.isBefore(actions.peek().time()))) {
                advanceTo(due);
                first.get().tick();
            } else if (!actions.isEmpty()) {
                Action next = actions.remove();
                advanceTo(next.time());
                next.action().run();
            } else {
                checkEnd();
                return;
            }
        }
        throw new AssertionError("the sessions do not come to rest");
    }

    // ---- people

    private void planCommands() {
        Duration span = List.of(Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofMinutes(20))
                .get(random.nextInt(3));
        int count = 2 + random.nextInt(14);
        for (int i = 0; i < count; i++) {
            RecordKey to = RecordKey.of("web:" + (chance(70) ? 1 : 2));
            send(moment(span), to, people.command(i, now, to, turns, List.of(to)));
        }
    }

    private void send(Duration delay, RecordKey to, TurnCommand command) {
        if (command instanceof SubmitTurn) {
            turns.add(command.meta().commandId());
        }
        commands.put(command.meta().commandId(), to);
        after(delay, () -> append(to, command, null));
        if (chance(15)) {
            after(delay.plus(moment(Duration.ofMinutes(1))), () -> append(to, command, null));
        }
    }

    /** Handles a committed event: people answer requests after a while, twice, or never. */
    void happened(TurnEvent event) {
        if (event instanceof TurnEvent.ApprovalRequested requested && !chance(10)) {
            send(
                    moment(Duration.ofMinutes(chance(10) ? 90 : 2)),
                    event.meta().key(),
                    people.answer((int) (100_000 + order), now, requested.approvalId()));
        }
    }

    // ---- Kafka

    void append(RecordKey to, TurnInput input, @Nullable String question) {
        SimulatedPartition partition =
                partitions.get(Math.floorMod(to.toString().hashCode(), partitions.size()));
        partition.append(new SimulatedPartition.Arrival(to, input, question));
        TaskDispatchDouble task = partition.task();
        if (task != null) {
            task.wake(now);
        }
    }

    /** A committed effect leaves the session. */
    void release(RecordKey from, TurnEffect effect) {
        released.computeIfAbsent(from, _ -> new ArrayList<>()).add(effect);
        if (effect instanceof TurnEffect.SendCommand send) {
            append(send.to(), send.command(), null);
        } else if (effect instanceof TurnEffect.SendResult answer) {
            append(answer.to(), answer.result(), null);
        }
    }

    /** Counts hooks of a commit that were lost with their process. */
    void hooksLost(int hooks) {
        lostHooks += hooks;
    }

    List<SeedContext> pieces(StoredSession session, TurnEffect.SendContext seed) {
        var entries = session.entries(seed.from(), seed.end());
        SeedContext first = seed.piece();
        int split = chance(50) ? entries.size() : entries.size() / 2;
        var parts = chance(50)
                ? List.of(entries)
                : List.of(entries.subList(0, split), entries.subList(split, entries.size()));
        var pieces = new ArrayList<SeedContext>();
        for (int i = 0; i < parts.size(); i++) {
            pieces.add(new SeedContext(
                    i == 0 ? first.meta() : first.meta().silent(Ids.of(first.forkId(), i)),
                    first.forkId(),
                    first.source(),
                    first.sourceSessionId(),
                    first.forkedFrom(),
                    i,
                    parts.size(),
                    first.agent(),
                    first.title(),
                    first.summary(),
                    parts.get(i)));
        }
        return pieces;
    }

    // ---- calls

    /** Maximum time that a step stays uncommitted. */
    Duration age() {
        return age;
    }

    /** Whether calls are answered at once, so that many steps are uncommitted. */
    boolean isQuick() {
        return quick;
    }

    boolean isLocal(LocalDispatchDouble.Ask call) {
        return chance(local);
    }

    /** Records that the request of a call is committed. */
    void asked(LocalDispatchDouble.Ask call) {
        committedRequests.add(call.callId() + call.question());
    }

    boolean isCommitted(LocalDispatchDouble.Ask call) {
        return committedRequests.contains(call.callId() + call.question());
    }

    Map<UUID, Row> ledger() {
        return ledger;
    }

    void askByTopic(LocalDispatchDouble.Ask call) {
        if (!chance(5)) {
            after(moment(Duration.ofMillis(50)), () -> anyProcess().receive(call));
        }
    }

    void cancelByTopic(UUID callId, List<ScriptedWorkers.Late> lastWords) {
        after(moment(Duration.ofMillis(50)), () -> processes.forEach(process -> process.cancel(callId, lastWords)));
    }

    // ---- processes and their failures

    private LocalDispatchDouble startProcess() {
        var process =
                new LocalDispatchDouble(this, "process-" + gone.size() + "-" + processes.size(), 1 + random.nextInt(6));
        processes.add(process);
        return process;
    }

    private LocalDispatchDouble anyProcess() {
        return processes.get(random.nextInt(processes.size()));
    }

    boolean isGone(String process) {
        return gone.contains(process);
    }

    /** Assigns the partition after a pause, to this process or, if it has died by then, to another. */
    void startTask(SimulatedPartition partition, LocalDispatchDouble preferred) {
        partition.task(null);
        after(moment(chance(20) ? PAUSE.multipliedBy(4) : PAUSE.dividedBy(10)), () -> {
            var task = new TaskDispatchDouble(this, partition, preferred.isAlive() ? preferred : anyProcess());
            tasks.add(task);
            partition.task(task);
        });
    }

    private boolean fails(int percent) {
        boolean fails = faults > 0 && chance(percent);
        faults -= fails ? 1 : 0;
        return fails;
    }

    boolean refusesCommit() {
        return fails(3);
    }

    boolean diesBeforeHooks(LocalDispatchDouble process) {
        boolean dies = fails(3);
        if (dies) {
            die(process);
        }
        return dies;
    }

    /** A failure between two steps, by chance. */
    void mayFail(TaskDispatchDouble task, SimulatedPartition partition) {
        if (!fails(4)) {
            return;
        }
        boolean owns = partition.task() == task;
        switch (random.nextInt(owns ? 5 : 1)) {
            case 0, 1 -> die(task.worker());
            case 2 -> {
                task.handOver();
                if (partition.task() == task) {
                    startTask(partition, anyProcess());
                }
            }
            case 3 -> {
                task.fence();
                startTask(partition, anyProcess());
            }
            default -> task.abort();
        }
    }

    private void die(LocalDispatchDouble process) {
        process.kill();
        gone.add(process.process());
        processes.remove(process);
        startProcess();
        tasks.stream()
                .filter(task -> task.worker() == process && !task.isClosed())
                .forEach(TaskDispatchDouble::lost);
        for (SimulatedPartition partition : partitions) {
            TaskDispatchDouble task = partition.task();
            if (task != null && task.worker() == process) {
                startTask(partition, anyProcess());
            }
        }
    }

    // ---- time and chance

    Instant now() {
        return now;
    }

    private void advanceTo(Instant time) {
        now = time.isAfter(now) ? time : now;
    }

    void after(Duration wait, Runnable action) {
        at(now.plus(wait), action);
    }

    void at(Instant time, Runnable action) {
        actions.add(new Action(time, order++, action));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    Duration moment(Duration limit) {
        return people.moment(limit);
    }

    ScriptedPeople people() {
        return people;
    }

    ScriptedWorkers workers() {
        return workers;
    }

    // ---- final checks

    private void checkEnd() {
        int[] missing = {0};
        Set<RecordKey> sessions = new TreeSet<>();
        for (SimulatedPartition partition : partitions) {
            TaskDispatchDouble task = Objects.requireNonNull(partition.task(), "a partition has no owner");
            assertEquals(partition.end(), partition.committed(), "records are not committed");
            partition.eachSession((key, steps) -> {
                sessions.add(key);
                SimulatedSession replayed = SimulatedSession.of(key, steps);
                SimulatedSession live = present(task.sessions().get(key));
                assertEquals(replayed.state(), live.state(), "what is committed and what is there differ");
                assertEquals(replayed.stored().entries(), live.stored().entries(), "entries");
                replayed.stored().invariants().checkEnd();
                missing[0] += checkReleased(key, replayed.effects());
            });
        }
        assertTrue(sessions.containsAll(released.keySet()), "something left a session that never was");
        assertTrue(missing[0] <= lostHooks, () -> missing[0] + " outcomes were not told");
        commands.forEach((command, to) -> {
            SimulatedPartition partition =
                    partitions.get(Math.floorMod(to.toString().hashCode(), partitions.size()));
            SimulatedSession session =
                    Objects.requireNonNull(partition.task()).sessions().get(to);
            assertTrue(session.stored().outcome(command).isPresent(), () -> "a command was lost: " + command);
        });
    }

    private static SimulatedSession present(@Nullable SimulatedSession session) {
        assertNotNull(session, "a committed session is not there");
        return session;
    }

    /**
     * Asserts that the effects of committed steps were released once and in order, and no others.
     *
     * @return number of outcomes that were not sent
     */
    private int checkReleased(RecordKey key, List<TurnEffect> expected) {
        var actual = released.getOrDefault(key, List.of());
        assertEquals(inOrder(expected), inOrder(actual), "what has left the session");
        var unreleased = new ArrayList<>(outcomes(expected));
        for (TurnEffect effect : outcomes(actual)) {
            assertTrue(unreleased.remove(effect), () -> "told before the commit, or twice: " + effect);
        }
        return unreleased.size();
    }

    private static List<TurnEffect> inOrder(List<TurnEffect> effects) {
        return effects.stream()
                .filter(effect -> effect instanceof TurnEffect.SendCommand
                        || effect instanceof TurnEffect.SendContext
                        || effect instanceof TurnEffect.SendResult
                        || effect instanceof TurnEffect.DeliverReply)
                .toList();
    }

    private static List<TurnEffect> outcomes(List<TurnEffect> effects) {
        return effects.stream().filter(TurnEffect.SendOutcome.class::isInstance).toList();
    }
}
