package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A random run, from one seed, of several sessions, people with requests of all kinds, and workers that crash, are
 * late and answer twice. Between sessions, nothing is lost and order is kept, as on a partition; results of workers
 * arrive in any order, or never.
 */
final class TurnSimulation {
    private static final int MAX_STEPS = 50_000;
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final UUID HOST = Ids.of("host");

    private final SplittableRandom random;
    private final Map<RecordKey, StoredSession> sessions = new TreeMap<>();
    private final Map<RecordKey, Instant> due = new TreeMap<>();
    private final Map<String, Instant> links = new HashMap<>();
    private final PriorityQueue<Delivery> network =
            new PriorityQueue<>(Comparator.comparing(Delivery::time).thenComparingLong(Delivery::order));
    private final Map<UUID, Integer> attempts = new HashMap<>();
    private final List<UUID> turns = new ArrayList<>();
    private final Map<UUID, RecordKey> forks = new HashMap<>();
    private final TopicLog log = new TopicLog();
    private final ScriptedPeople people;
    private final ScriptedWorkers workers;
    private Instant now = START;
    private long order;

    private record Delivery(Instant time, long order, RecordKey to, TurnInput input) {}

    TurnSimulation(long seed) {
        random = new SplittableRandom(seed);
        people = new ScriptedPeople(random, HOST);
        workers = new ScriptedWorkers(random);
    }

    /** Runs until nothing is in progress or due. */
    void run() {
        planCommands();
        for (int step = 0; step < MAX_STEPS; step++) {
            Optional<RecordKey> first = firstDue();
            if (first.isPresent()
                    && (network.isEmpty() || !network.peek().time().isBefore(due.get(first.get())))) {
                advanceTo(due.get(first.get()).plus(chance(10) ? people.moment(Duration.ofMinutes(2)) : Duration.ZERO));
                deliver(first.get(), new TurnInput.Tick());
            } else if (!network.isEmpty()) {
                Delivery next = network.poll();
                advanceTo(next.time());
                deliver(next.to(), next.input());
            } else {
                sessions.values().forEach(session -> session.invariants().checkEnd());
                forks.forEach((fork, target) ->
                        assertTrue(sessions.get(target).outcome(fork).isPresent(), "a fork has no outcome"));
                return;
            }
        }
        throw new AssertionError("the sessions do not come to rest");
    }

    /** The records of the topics. */
    TopicLog log() {
        return log;
    }

    /** All sessions. */
    List<StoredSession> sessions() {
        return List.copyOf(sessions.values());
    }

    private void planCommands() {
        Duration span = List.of(Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofMinutes(20))
                .get(random.nextInt(3));
        int commands = 2 + random.nextInt(18);
        for (int i = 0; i < commands; i++) {
            RecordKey to = RecordKey.of("web:" + (chance(70) ? 1 : 2));
            send(now.plus(people.moment(span)), to, people.command(i, now, to, turns, sessionKeys()));
        }
    }

    private List<RecordKey> sessionKeys() {
        return List.copyOf(sessions.keySet());
    }

    private void send(Instant time, RecordKey to, TurnCommand command) {
        if (command instanceof SubmitTurn submit) {
            turns.add(submit.meta().commandId());
        }
        put(time, to, command);
        if (chance(15)) {
            put(time.plus(people.moment(Duration.ofMinutes(1))), to, command);
        }
    }

    private Optional<RecordKey> firstDue() {
        return due.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    private void advanceTo(Instant time) {
        now = time.isAfter(now) ? time : now;
    }

    private void put(Instant time, RecordKey to, TurnInput input) {
        log.given(time, to, input);
        network.add(new Delivery(time, order++, to, input));
    }

    private void deliver(RecordKey to, TurnInput input) {
        StoredSession session = sessions.computeIfAbsent(to, StoredSession::new);
        TurnDecision decisions = session.decide(input, now, people.definitions());
        log.decided(now, to, decisions);
        decisions.effects().forEach(effect -> carryOut(session, effect));
        decisions.events().forEach(event -> answerQuestion(to, event));
        TurnMachine.nextDue(session.state()).ifPresentOrElse(time -> due.put(to, time), () -> due.remove(to));
        if (chance(2)) {
            childCommand();
        }
    }

    /** People answer requests after a while, twice, or never. */
    private void answerQuestion(RecordKey to, TurnEvent event) {
        if (event instanceof TurnEvent.ApprovalRequested requested && !chance(10)) {
            Duration delay = people.moment(Duration.ofMinutes(chance(10) ? 90 : 2));
            send(now.plus(delay), to, people.answer((int) (100_000 + order), now, requested.approvalId()));
        }
        if (event instanceof TurnEvent.ToolRequested call && call.version().equals(ToolSpec.OF_CALLER) && !chance(10)) {
            Duration delay = people.moment(Duration.ofMinutes(chance(10) ? 90 : 2));
            send(now.plus(delay), to, people.result((int) (100_000 + order), now, call.callId()));
        }
    }

    /** Sends a command to the session of a delegate. */
    private void childCommand() {
        RecordKey to = sessionKeys().get(random.nextInt(sessions.size()));
        if (order < 2_000 && to.session().contains("delegate")) {
            send(
                    now.plus(people.moment(Duration.ofSeconds(20))),
                    to,
                    people.command((int) (1000 + order), now, to, turns, sessionKeys()));
        }
    }

    private void carryOut(StoredSession session, TurnEffect effect) {
        switch (effect) {
            case TurnEffect.RequestModel call -> {
                attempts.put(call.callId(), call.attempt());
                answer(session.key(), workers.model(call, now));
            }
            case TurnEffect.RequestTool call -> answer(session.key(), workers.tool(call.request(), now));
            case TurnEffect.CancelModel stop ->
                answer(session.key(), workers.lastWords(stop.callId(), attempts.get(stop.callId())));
            case TurnEffect.SendCommand send -> link(session.key(), send.to(), send.command());
            case TurnEffect.SendResult answer -> link(session.key(), answer.to(), answer.result());
            case TurnEffect.SendContext seed -> seed(session, seed);
            case TurnEffect.SendBankCommand _,
                    TurnEffect.ReportTakeOver _,
                    TurnEffect.StoreEntry _,
                    TurnEffect.DeleteEntries _,
                    TurnEffect.RequestRule _,
                    TurnEffect.CancelTool _,
                    TurnEffect.DeliverReply _,
                    TurnEffect.PublishDelta _,
                    TurnEffect.SendOutcome _,
                    TurnEffect.EraseSession _,
                    TurnEffect.StoreOutcome _ -> {}
        }
    }

    /** Results of workers arrive late, twice, in any order or never. */
    private void answer(RecordKey to, List<ScriptedWorkers.Late> answers) {
        for (var answer : answers) {
            Duration extra = chance(5) ? people.moment(Duration.ofMinutes(3)) : Duration.ZERO;
            if (!chance(5)) {
                put(now.plus(answer.after()).plus(extra), to, answer.result());
            }
            if (chance(10)) {
                put(now.plus(answer.after()).plus(people.moment(Duration.ofMinutes(1))), to, answer.result());
            }
        }
    }

    /** Sends an input from one session to another: in order, at least once. */
    private void link(RecordKey from, RecordKey to, TurnInput input) {
        String link = from + " to " + to;
        Instant earliest = now.plus(people.moment(Duration.ofSeconds(chance(10) ? 60 : 1)));
        Instant last = links.getOrDefault(link, earliest);
        Instant time = last.isAfter(earliest) ? last : earliest;
        links.put(link, time);
        put(time, to, input);
        if (chance(10)) {
            put(time.plus(people.moment(Duration.ofSeconds(30))), to, input);
        }
    }

    private void seed(StoredSession session, TurnEffect.SendContext seed) {
        var entries = session.entries(seed.from(), seed.end()).stream()
                .map(Entry::forOtherSession)
                .toList();
        SeedContext first = seed.piece();
        forks.put(first.forkId(), seed.to());
        int pieces = 1 + random.nextInt(3);
        int size = (entries.size() + pieces - 1) / pieces;
        for (int i = 0; i < pieces; i++) {
            var meta = i == 0 ? first.meta() : first.meta().silent(Ids.of(first.forkId(), i));
            var part = entries.subList(Math.min(i * size, entries.size()), Math.min((i + 1) * size, entries.size()));
            var piece = new SeedContext(
                    meta,
                    first.forkId(),
                    first.source(),
                    first.sourceSessionId(),
                    first.forkedFrom(),
                    i,
                    pieces,
                    first.agent(),
                    first.title(),
                    first.summary(),
                    part);
            if (i == 0 || !chance(10)) { // if the target refuses a piece, the fork is never complete
                link(session.key(), seed.to(), piece);
            }
        }
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** The states of the sessions, for a failure message. */
    String describe() {
        assertTrue(now.isAfter(START) || sessions.isEmpty());
        return now + " "
                + sessions.values().stream()
                        .map(session -> session.state().toString())
                        .toList();
    }
}
