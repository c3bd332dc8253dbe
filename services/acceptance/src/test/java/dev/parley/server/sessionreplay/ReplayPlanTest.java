package dev.parley.server.sessionreplay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent.FeedbackGiven;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of a session replay, suites, and recorded results. */
class ReplayPlanTest {
    @TempDir
    Path folder;

    private static ReplayPlan plan(@Nullable String session, @Nullable String turns, @Nullable Path suite) {
        return plan(session, turns, suite, null);
    }

    private static ReplayPlan plan(
            @Nullable String session, @Nullable String turns, @Nullable Path suite, @Nullable Opinion feedback) {
        return new ReplayPlan(
                session, turns, null, null, null, 20, Duration.ofMinutes(1), 1_000, 1, null, suite, null, feedback);
    }

    private static RecordedTurn turn(long number) {
        UUID id = new UUID(0, number);
        return new RecordedTurn(number, id, null, List.of(), 0, TurnAnswer.of(id, List.of()));
    }

    @Test
    void turnsAreChosenByNumber() {
        var selected = plan("web:1", "2-3", null).selectTurns(null).get(RecordKey.of("web:1"));
        assertFalse(selected.test(turn(1)));
        assertTrue(selected.test(turn(2)) && selected.test(turn(3)));
        assertFalse(selected.test(turn(4)));
        assertTrue(plan("web:1", null, null)
                .selectTurns(null)
                .get(RecordKey.of("web:1"))
                .test(turn(99)));
    }

    @Test
    void rejectsConflictingOptions() {
        assertThrows(IllegalArgumentException.class, () -> plan(null, null, null));
        assertThrows(IllegalArgumentException.class, () -> plan("web:1", null, folder));
        assertThrows(IllegalArgumentException.class, () -> plan("web:1", "first", null));
        assertThrows(IllegalArgumentException.class, () -> plan(null, "1", folder));
        assertThrows(IllegalArgumentException.class, () -> plan("web:1", "1", null, Opinion.BAD));
        assertThrows(IllegalArgumentException.class, () -> plan(null, null, folder, Opinion.BAD));
    }

    @Test
    @Tag("B224")
    void standingOpinionsChooseTurns() {
        // Given
        var rated = new RatedTurns();
        RecordKey key = RecordKey.of("web:1");
        UUID one = new UUID(0, 1);
        UUID two = new UUID(0, 2);

        // When
        rated.take(opinion(key, one, "ann", null, Opinion.BAD));
        rated.take(opinion(key, two, "ann", null, Opinion.BAD));
        rated.take(opinion(key, two, "ann", null, Opinion.GOOD));
        rated.take(opinion(key, one, "bob", "👎", Opinion.BAD));
        rated.take(opinion(key, one, "bob", "👎", Opinion.WITHDRAWN));
        rated.take(opinion(RecordKey.of("gone"), one, "ann", null, Opinion.BAD));
        rated.take(new SessionErased(meta(RecordKey.of("gone")), one, null));

        // Then
        assertEquals(Map.of(key, Set.of(one)), rated.with(Opinion.BAD));
        assertEquals(Map.of(key, Set.of(two)), rated.with(Opinion.GOOD));
        rated.take(opinion(key, one, "ann", null, Opinion.WITHDRAWN));
        assertEquals(Map.of(), rated.with(Opinion.BAD));
    }

    private static EventMeta meta(RecordKey key) {
        return new EventMeta(new UUID(0, 9), key, key.sessionId(0), 0, 1, null, Instant.EPOCH);
    }

    private static FeedbackGiven opinion(RecordKey key, UUID turn, String by, @Nullable String emoji, Opinion opinion) {
        return new FeedbackGiven(meta(key), turn, by, opinion, emoji, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | suite.yaml:1: No content",
                "agent: x | at least one is needed",
                "sessions: [ { session: a } ] | each of the sessions has a session and turns",
                "sessions: [ { session: a, turns: { 1: {} } } ] | turn 1: has no expectations",
                "sessions: [ { session: a, turns: { 1: { matches: '(' } } } ] | turn 1: matches:",
                "sessions: [ { session: a, turns: { x: { contains: [y] } } } ] | suite.yaml:1:",
                "{ threshold: 2, sessions: [ { session: a, turns: { 1: { contains: [y] } } } ] } | threshold: is 0 to 1",
                "sessions: [ { session: a, turns: { 1: { state: DONE } } } ] | suite.yaml:1:",
            })
    void reportsErrorsInASuite(String yaml, String expected) throws IOException {
        Path file = Files.writeString(folder.resolve("suite.yaml"), yaml);
        var failure = assertThrows(IllegalArgumentException.class, () -> Suite.read(file));
        assertTrue(String.valueOf(failure.getMessage()).contains(expected), failure.getMessage());
    }

    @Test
    void returnsRecordedResultsInOrderAndRepeatsTheLast() {
        // Given
        var results = new RecordedResults(List.of(
                new RecordedCall("time", "{}", ToolStatus.COMPLETED, "one"),
                new RecordedCall("time", "{}", ToolStatus.ERROR, "two"),
                new RecordedCall("open", "{}", ToolStatus.PENDING, "")));

        // Then
        assertEquals("one", results.answer("time", " { } ").content());
        assertEquals("two", results.answer("time", "{}").content());
        assertEquals("two", results.answer("time", "{}").content());
        assertEquals(0, results.missing());
        assertEquals(ToolStatus.ERROR, results.answer("open", "{}").status());
        assertEquals(ToolStatus.ERROR, results.answer("time", "no json").status());
        assertEquals(2, results.missing());
    }

    @Test
    void linesAreComparedInOrder() {
        assertEquals(
                List.of("  a", "- b", "+ c", "  d"), TurnDiff.lines(List.of("a", "b", "d"), List.of("a", "c", "d")));
    }
}
