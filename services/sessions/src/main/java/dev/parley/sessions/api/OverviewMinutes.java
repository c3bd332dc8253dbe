package dev.parley.sessions.api;

import dev.parley.sessions.api.OverviewRows.CallCount;
import dev.parley.sessions.api.OverviewRows.ToolCount;
import dev.parley.sessions.api.OverviewRows.TurnCount;
import java.time.Instant;
import java.util.List;

/**
 * Rows of a time range, counted by the minute.
 *
 * @param to exclusive, a whole minute
 * @param turns by the minute of their start
 * @param calls of models, by the minute of their end
 * @param tools by the minute in which their turn began
 */
record OverviewMinutes(Instant to, List<TurnCount> turns, List<CallCount> calls, List<ToolCount> tools) {
    void addTo(OverviewFigures sums, Instant since, Instant end) {
        turns.stream().filter(row -> isIn(row.minute(), since, end)).forEach(sums::add);
        calls.stream().filter(row -> isIn(row.minute(), since, end)).forEach(sums::add);
        tools.stream().filter(row -> isIn(row.minute(), since, end)).forEach(sums::add);
    }

    private static boolean isIn(Instant minute, Instant since, Instant end) {
        return !minute.isBefore(since) && minute.isBefore(end);
    }
}
