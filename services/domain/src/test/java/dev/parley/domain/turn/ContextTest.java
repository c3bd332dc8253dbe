package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.content.Todo;
import dev.parley.domain.content.TodoStatus;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.TurnEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ContextTest {
    private final SessionFixture session = new SessionFixture();
    private final SessionFixture copy = session.other("web:2");

    @Test
    @Tag("K12")
    @Tag("K15")
    void aClearedContextIsForgotten() {
        // Given
        session.exchanges("one", "1");

        // When
        session.resets(Reset.CLEAR);

        // Then
        assertEquals(Map.of(), session.entries());
        session.says("two");
        assertEquals(List.of("user: two"), session.shown());
    }

    @Test
    @Tag("K12")
    void rewindRestoresTheContextOfTheMark() {
        // Given
        session.exchanges("one", "1");
        session.resets(Reset.MARK, "here");
        session.exchanges("two", "2");
        session.resets(Reset.CLEAR);
        session.exchanges("three", "3");

        // When
        session.resets(Reset.REWIND, "here");
        session.says("four");

        // Then
        assertEquals(List.of("user: one", "assistant: 1", "user: four"), session.shown());
    }

    @Test
    void rewindsToTheSameMarkTwice() {
        // Given
        session.exchanges("one", "1");
        session.resets(Reset.MARK, "here");
        session.exchanges("two", "2");
        session.resets(Reset.REWIND, "here");
        session.exchanges("three", "3");

        // When
        session.resets(Reset.REWIND, "here");
        session.says("four");

        // Then
        assertEquals(List.of("user: one", "assistant: 1", "user: four"), session.shown());
    }

    @Test
    void rewindInvalidatesLaterMarks() {
        // Given
        session.exchanges("one", "1");
        session.resets(Reset.MARK, "early");
        session.exchanges("two", "2");
        session.resets(Reset.MARK, "late");
        session.resets(Reset.REWIND, "early");

        // When
        var back = session.resets(Reset.REWIND, "late");

        // Then
        session.refuses(back, "unknown_mark");
    }

    @Test
    void limitsMarksButMovesAnExistingOne() {
        // Given
        session.exchanges("one", "1");
        for (int i = 0; i < 16; i++) {
            session.resets(Reset.MARK, "m" + i);
        }

        // When
        var added = session.resets(Reset.MARK, "m16");
        var moved = session.resets(Reset.MARK, "m3");

        // Then
        session.refuses(added, "too_many_marks");
        session.accepted(moved);
    }

    @Test
    @Tag("K12")
    void undoesTurnsOneByOne() {
        // Given
        session.exchanges("one", "1");
        session.exchanges("two", "2");
        session.exchanges("three", "3");

        // When
        session.accepted(session.resets(Reset.UNDO));
        session.accepted(session.resets(Reset.UNDO));
        session.says("four");

        // Then
        assertEquals(List.of("user: one", "assistant: 1", "user: four"), session.shown());
    }

    @Test
    void undoEndsTheRunningTurn() {
        // Given
        session.exchanges("one", "1");
        session.says("two");

        // When
        session.accepted(session.resets(Reset.UNDO));

        // Then
        assertNull(session.state().active());
        session.says("three");
        assertEquals(List.of("user: one", "assistant: 1", "user: three"), session.shown());
    }

    @Test
    void rejectsUndoInAnEmptyContext() {
        // Given
        session.exchanges("one", "1");
        session.resets(Reset.CLEAR);

        // When
        var undone = session.resets(Reset.UNDO);

        // Then
        session.refuses(undone, "nothing_to_undo");
    }

    @Test
    void forkCannotUndoCopiedTurns() {
        // Given
        session.exchanges("one", "1");
        session.forksTo(copy);

        // When
        var undone = copy.resets(Reset.UNDO);

        // Then
        copy.refuses(undone, "nothing_to_undo");
    }

    @Test
    @Tag("P46")
    void newSessionStartsWithAnEmptyContext() {
        // Given
        session.exchanges("one", "1");
        UUID before = session.state().open().sessionId();

        // When
        session.resets(Reset.NEW);

        // Then
        assertEquals(1, session.state().open().epoch());
        assertEquals(Map.of(), session.entries());
        assertEquals(
                SessionStatus.ARCHIVED,
                session.events(TurnEvent.SessionChanged.class).getLast().status());
        assertEquals(
                before,
                session.events(TurnEvent.SessionChanged.class).getLast().meta().sessionId());
    }

    @Test
    @Tag("K16")
    void forkCopiesCompleteTurns() {
        // Given
        var item = new Block.Raw(new ProviderItem("openai", "reasoning", "{\"id\":\"r1\"}"));
        session.says("one");
        session.modelAnswers(FinishReason.TOOL_CALLS, item, SessionFixture.call("a", "search", "{}"));
        session.toolAnswers("a", "found");
        session.modelAnswers("1");
        session.says("not yet");

        // When
        session.forksTo(copy);
        session.modelAnswers("later");
        copy.says("two");

        // Then
        assertEquals(
                List.of(
                        "user: one",
                        "assistant: " + item + " search(a)",
                        "tool: a: found",
                        "assistant: 1",
                        "user: two"),
                copy.shown());
        assertEquals(
                List.copyOf(session.entries().values()).subList(0, 4),
                List.copyOf(copy.entries().values()).subList(0, 4));
    }

    @Test
    @Tag("K16")
    void forkUpToATurnExcludesLaterTurns() {
        // Given
        UUID first = session.exchanges("one", "1");
        session.exchanges("two", "2");
        session.says("not yet");

        // When
        session.forksTo(copy, first);
        copy.says("other two");

        // Then
        assertEquals(List.of("user: one", "assistant: 1", "user: other two"), copy.shown());
    }

    @Test
    @Tag("K16")
    void rejectsAForkUpToALastUnknownOrRunningTurn() {
        // Given
        UUID first = session.exchanges("one", "1");
        UUID last = session.exchanges("two", "2");

        // When
        var refused = session.forksTo(copy, last);
        var unknown = session.forksTo(copy, UUID.randomUUID());
        UUID active = session.says("three");
        var unfinished = session.forksTo(copy, active);
        session.modelAnswers("3");
        session.resets(Reset.CLEAR);
        var cleared = session.forksTo(copy, first);

        // Then
        session.refuses(refused, "turn_is_last");
        session.refuses(unknown, "unknown_turn");
        session.refuses(unfinished, "session_busy");
        session.refuses(cleared, "unknown_turn");
        assertEquals(Map.of(), copy.entries());
    }

    @Test
    @Tag("K17")
    void aForkReplacesWhatTheTargetHeld() {
        // Given
        session.exchanges("one", "1");
        copy.exchanges("old", "0");

        // When
        session.forksTo(copy);
        session.forksTo(copy);
        copy.says("two");

        // Then
        assertEquals(List.of("user: one", "assistant: 1", "user: two"), copy.shown());
        assertEquals(3, copy.entries().size());
    }

    @Test
    void dropsAnIncompleteForkAfterATimeout() {
        // Given
        session.exchanges("one", "1");
        var entries = List.copyOf(session.entries().values());
        copy.takes(piece(session, 0, entries.subList(0, 1)));
        var waiting = copy.says("hi");
        copy.waiting(waiting);

        // When
        copy.after(TurnMachine.SEED_PIECE_TIMEOUT);

        // Then
        copy.isActive(waiting);
        assertEquals(List.of("user: hi"), copy.shown());
        assertNull(copy.state().seeding());
        copy.refuses(copy.takes(piece(session, 1, entries.subList(1, 2))), "session_busy");
    }

    @Test
    void importedDelegateGetsItsParentAndDepthFromItsKey() {
        // Given
        var child = session.other("one:delegate:helper:delegate:scout");
        RecordKey key = child.state().key();
        var meta = new CommandMeta(Ids.of("import"), SessionFixture.HOST, session.now(), null, null, null);
        var entry = new Entry(Ids.of("turn"), 1, Message.text(Role.USER, "hi"));

        // When
        child.takes(new SeedContext(
                meta, Ids.of("import"), key, key.sessionId(0), null, 0, 1, null, null, null, List.of(entry), true));

        // Then
        assertEquals(
                new RecordKey(key.project(), "one:delegate:helper").sessionId(0),
                child.state().open().parentSessionId());
        assertEquals(2, child.state().open().depth());
        assertEquals(1, child.entries().size());
    }

    @Test
    void importedSessionHasTheTodosOfItsLastValidWrite() {
        // Given
        var imported = session.other("old:1");
        RecordKey key = imported.state().key();
        var meta = new CommandMeta(Ids.of("import"), SessionFixture.HOST, session.now(), null, null, null);
        List<Entry> entries = Stream.of(Message.text(Role.USER, "hi"), written("first"), written("second"), written(""))
                .map(message -> new Entry(Ids.of("turn"), 1, message))
                .toList();

        // When
        imported.takes(
                new SeedContext(meta, Ids.of("import"), key, key.sessionId(0), null, 0, 1, null, null, null, entries));

        // Then
        assertEquals(
                List.of(new Todo("second", "doing second", TodoStatus.PENDING)),
                imported.state().todos());
    }

    private static Message written(String todo) {
        return Message.toolCall(
                "c_" + todo,
                "todo_write",
                "{\"todos\":[{\"content\":\"%1$s\",\"activeForm\":\"doing %1$s\",\"status\":\"pending\"}]}"
                        .formatted(todo));
    }

    @Test
    void aNewSessionDoesNotWaitForAnOldFork() {
        // Given
        session.exchanges("one", "1");
        copy.takes(piece(session, 0, List.copyOf(session.entries().values())));

        // When
        copy.resets(Reset.NEW);
        var turn = copy.says("hi");

        // Then
        copy.isActive(turn);
    }

    private static SeedContext piece(SessionFixture from, int piece, List<Entry> entries) {
        UUID fork = Ids.of("fork");
        var meta = new CommandMeta(Ids.of(fork, piece), SessionFixture.HOST, from.now(), null, null, null);
        return new SeedContext(
                meta,
                fork,
                from.state().key(),
                from.state().open().sessionId(),
                null,
                piece,
                2,
                null,
                null,
                null,
                entries);
    }

    @Test
    void nothingCanBeForkedIntoAnArchivedSession() {
        // Given
        session.exchanges("one", "1");
        copy.exchanges("old", "0");
        copy.changes(TurnCommand.Change.ARCHIVE);

        // When
        var fork = session.forksTo(copy);
        copy.changes(TurnCommand.Change.REOPEN);
        copy.says("still there?");

        // Then
        assertEquals(List.of("user: old", "assistant: 0", "user: still there?"), copy.shown());
        copy.refuses(fork, "session_archived");
    }

    @Test
    void onlyTheTargetAnswersAForkAndRepeatsItsOutcome() {
        // Given
        session.exchanges("one", "1");
        copy.says("busy");
        var fork = new TurnCommand.ForkSession(session.newMeta(), copy.state().key(), null);

        // When
        session.takes(fork);
        copy.modelAnswers("not any more");
        session.takes(fork);

        // Then
        copy.refuses(fork.meta().commandId(), "session_busy");
        assertEquals(List.of(), session.told(fork.meta().commandId()));
        var outcomes = copy.told(fork.meta().commandId());
        assertEquals(2, outcomes.size());
        assertEquals(outcomes.getFirst(), outcomes.getLast());

        // When
        var secondFork = session.forksTo(copy);

        // Then
        assertEquals(Outcome.Disposition.DONE, copy.accepted(secondFork).disposition());
    }

    @Test
    void aCancelledTurnStaysInTheContext() {
        // Given
        session.says("one");
        session.cancels(null);

        // When
        session.after(Duration.ofSeconds(2));
        session.says("two");

        // Then
        assertEquals(List.of("user: one", "user: two"), session.shown());
    }
}
