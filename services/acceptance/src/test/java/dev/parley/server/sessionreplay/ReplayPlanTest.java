package dev.parley.server.sessionreplay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.ToolStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of a session replay, suites, and recorded results. */
class ReplayPlanTest {
    @TempDir
    Path folder;

    private static ReplayPlan plan(@Nullable String session, @Nullable String turns, @Nullable Path suite) {
        return new ReplayPlan(session, turns, null, null, null, 20, Duration.ofMinutes(1), 1_000, 1, null, suite, null);
    }

    @Test
    void turnsAreChosenByNumber() {
        var selected = plan("web:1", "2-3", null).selectTurns(null).get(RecordKey.of("web:1"));
        assertFalse(selected.test(1));
        assertTrue(selected.test(2) && selected.test(3));
        assertFalse(selected.test(4));
        assertTrue(plan("web:1", null, null)
                .selectTurns(null)
                .get(RecordKey.of("web:1"))
                .test(99));
    }

    @Test
    void rejectsConflictingOptions() {
        assertThrows(IllegalArgumentException.class, () -> plan(null, null, null));
        assertThrows(IllegalArgumentException.class, () -> plan("web:1", null, folder));
        assertThrows(IllegalArgumentException.class, () -> plan("web:1", "first", null));
        assertThrows(IllegalArgumentException.class, () -> plan(null, "1", folder));
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
