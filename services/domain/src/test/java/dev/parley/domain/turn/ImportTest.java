package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.history.Relocation;
import dev.parley.domain.turn.history.Unfinished;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session imported from its events alone continues as the original would. */
class ImportTest {
    private static final int RUNS = Integer.getInteger("runs", 500);
    private static final Instant LATER = Instant.parse("2031-01-01T00:00:00Z");
    private static final FixedDefinitions DEFINITIONS = new FixedDefinitions(
            List.of(FixedDefinitions.agent(Agent.DEFAULT, AgentMode.ALL, FixedDefinitions.LIMITS)), List.of());

    private static ImportTarget place(String to) {
        return new ImportTarget(
                RecordKey.DEFAULT_PROJECT, to, Ids.of("host"), UnaryOperator.identity(), UnaryOperator.identity());
    }

    private static List<TurnEvent> moved(List<TurnEvent> events, String to) {
        var relocation = new Relocation(place(to), events.getFirst().meta().key());
        return events.stream().map(relocation::move).toList();
    }

    private static ArrivedSession arrived(List<TurnEvent> events, int size) {
        return new ArrivedSession(events.getFirst().meta().key(), DEFINITIONS).arrives(events, size);
    }

    @Test
    @Tag("I114")
    void importRestoresTheStateOfTheOriginal() {
        int imported = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            var simulation = new TurnSimulation(seed);
            simulation.run();
            for (StoredSession session : simulation.sessions()) {
                var events = session.published();
                if (!events.isEmpty() && sinceErasure(events).size() == events.size()) {
                    assertImported(session, 1 + (int) seed % 40, "seed " + seed);
                    imported++;
                }
            }
        }
        assertTrue(imported > 0);
    }

    private static void assertImported(StoredSession session, int size, String seed) {
        var imported = arrived(moved(session.published(), RecordKey.DEFAULT_PROJECT), size);
        assertEquals(session.state(), remembered(imported.state(), session.state()), seed);
        assertEquals(session.entries(), imported.entries(), seed);
        assertEquals(session.ends(), ends(imported), seed);
    }

    /** Published events do not name the banks of a session, because an imported session has others. */
    private static SessionState remembered(SessionState imported, SessionState original) {
        SessionState state = imported;
        for (BankRef bank : original.open().remembered()) {
            var session = imported.open();
            var meta = new EventMeta(
                    session.host(),
                    imported.key(),
                    session.sessionId(),
                    session.epoch(),
                    imported.lastSeq(),
                    null,
                    LATER);
            state = TurnMachine.evolve(state, new TurnEvent.TurnRemembered(meta, bank));
        }
        return state;
    }

    private static Map<UUID, Outcome> ends(ArrivedSession session) {
        return session.outcomes().entrySet().stream()
                .filter(row -> row.getValue() instanceof Outcome.Finished)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    @Tag("I114")
    void importOfAnyPrefixWithoutUnfinishedTurnsContinues() {
        var random = new SplittableRandom(7);
        int dropped = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            var simulation = new TurnSimulation(seed);
            simulation.run();
            for (StoredSession session : simulation.sessions()) {
                var prefix = sinceErasure(session.published()
                        .subList(0, random.nextInt(session.published().size() + 1)));
                var complete = withoutUnfinishedTurns(prefix);
                dropped += prefix.size() - complete.size();
                if (!complete.isEmpty()) {
                    assertContinues(complete, "seed " + seed);
                }
            }
        }
        assertTrue(dropped > RUNS, "something was under way");
    }

    /** Events from the last erasure on. */
    private static List<TurnEvent> sinceErasure(List<TurnEvent> events) {
        int from = events.size();
        while (from > 0 && !(events.get(from - 1) instanceof TurnEvent.SessionErased)) {
            from--;
        }
        return events.subList(from, events.size());
    }

    private static List<TurnEvent> withoutUnfinishedTurns(List<TurnEvent> events) {
        var unfinished = new Unfinished();
        events.forEach(unfinished::take);
        return events.stream().filter(event -> !unfinished.has(event)).toList();
    }

    private static void assertContinues(List<TurnEvent> events, String seed) {
        var sameProject = arrived(moved(events, RecordKey.DEFAULT_PROJECT), 10);
        var otherProject = arrived(moved(events, "other"), 1_000);
        assertEquals(messages(sameProject), messages(otherProject), seed);
        assertEquals(
                sameProject.state().open().turns(), otherProject.state().open().turns(), seed);
        if (sameProject.state().exists() && sameProject.state().open().status() == SessionStatus.ACTIVE) {
            assertEquals(prompt(sameProject), prompt(otherProject), seed);
        }
    }

    private static List<Message> messages(ArrivedSession session) {
        return session.entries().values().stream().map(Entry::message).toList();
    }

    /** Messages of the model call for the next message. */
    private static List<Message> prompt(ArrivedSession session) {
        RecordKey key = session.state().key();
        UUID id = key.turnId(Origin.API.code(), "next");
        var meta = new CommandMeta(
                id, Ids.of("host"), LATER, session.state().open().user(), null, null);
        var next = new TurnCommand.SubmitTurn(
                meta,
                Origin.API,
                "next",
                MailboxMode.FOLLOWUP,
                Agent.DEFAULT,
                null,
                List.of(Block.text("next")),
                "web",
                null,
                null,
                null);
        var messages = new ArrayList<Message>();
        for (TurnEffect effect : session.decide(next, LATER).effects()) {
            if (effect instanceof TurnEffect.RequestModel request && request.purpose() == ModelRequest.Purpose.REPLY) {
                for (long i = request.from(); i < request.to(); i++) {
                    messages.add(session.entries().get(i).message());
                }
            }
        }
        return messages;
    }

    @Test
    void importIntoAnotherProjectAssignsNewIds() {
        // Given
        var chat = new SessionFixture();
        chat.says("search");
        chat.modelCalls(SessionFixture.call("c1", "search", "{}"));
        chat.toolAnswers("c1", "found");
        chat.modelAnswers("here");

        // When
        var moved = moved(chat.published(), "other");

        // Then
        var key = new RecordKey("other", "web:1");
        for (TurnEvent event : moved) {
            assertEquals(key, event.meta().key());
            assertEquals(key.sessionId(0), event.meta().sessionId());
            if (event instanceof TurnAccepted turn) {
                assertEquals(
                        key.turnId(turn.origin().code(), turn.originRef()),
                        turn.meta().turnId());
            }
        }
        var old = chat.published().toString();
        String text = moved.toString();
        chat.events(TurnEvent.ToolRequested.class)
                .forEach(call -> assertTrue(old.contains(call.callId().toString())
                        && !text.contains(call.callId().toString())));
    }

    @Test
    void rejectsMessagesDuringAnImport() {
        // Given
        var chat = new SessionFixture();
        chat.exchanges("one", "1");
        chat.exchanges("two", "2");
        var events = chat.published();
        var target = new ArrivedSession(chat.state().key(), DEFINITIONS);
        var first = ArrivedSession.piece(0, 2, events.subList(0, 4));
        var second = ArrivedSession.piece(1, 2, events.subList(4, events.size()));
        target.takes(first);

        // When
        var refused = target.decide(chat.message("three", MailboxMode.FOLLOWUP, null), LATER).effects().stream()
                .filter(TurnEffect.SendOutcome.class::isInstance)
                .map(effect -> ((TurnEffect.SendOutcome) effect).outcome())
                .toList();
        target.decide(new TurnInput.Tick(), LATER.plusSeconds(100_000));

        // Then the message can be sent again later
        assertEquals(
                List.of("session_busy"),
                refused.stream()
                        .map(outcome -> ((Outcome.Refused) outcome).code())
                        .toList());
        assertTrue(TurnMachine.nextDue(target.state()).isEmpty());
        assertInstanceOf(Outcome.Accepted.class, target.takes(first), "again");
        assertInstanceOf(Outcome.Accepted.class, target.takes(second));
        assertNull(target.state().seeding());
        assertEquals(chat.state(), target.state());
    }

    @Test
    @Tag("O10")
    void erasesAPartlyImportedSession() {
        // Given
        var chat = new SessionFixture();
        chat.exchanges("one", "1");
        var target = new ArrivedSession(chat.state().key(), DEFINITIONS);
        target.takes(ArrivedSession.piece(0, 2, chat.published().subList(0, 4)));

        // When
        var erased = target.takes(
                new TurnCommand.ChangeSession(chat.newMeta(), TurnCommand.Change.ERASE, null, null, null, "api", null));

        // Then
        assertInstanceOf(Outcome.Accepted.class, erased);
        assertNull(target.state().seeding());
        assertNull(target.state().active());
        assertTrue(target.entries().isEmpty());
    }

    @Test
    void aSessionInUseIsNotImportedInto() {
        var chat = new SessionFixture();
        chat.exchanges("one", "1");
        var target = new ArrivedSession(chat.state().key(), DEFINITIONS);
        target.takes(chat.message("hello", MailboxMode.FOLLOWUP, null));

        var refused = target.takes(ArrivedSession.piece(0, 1, chat.published()));

        assertEquals("session_in_use", ((Outcome.Refused) refused).code());
    }

    @Test
    void rejectsAnImportOfAnUnfinishedTurn() {
        var chat = new SessionFixture();
        chat.says("one");
        var target = new ArrivedSession(chat.state().key(), DEFINITIONS);

        var refused = target.takes(ArrivedSession.piece(0, 1, chat.published()));

        assertEquals("invalid_import", ((Outcome.Refused) refused).code());
        assertEquals(0, target.state().lastSeq());
    }
}
