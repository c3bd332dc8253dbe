package dev.parley.workflows.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.schedule.Cron;
import dev.parley.workflows.schedule.Schedule.Due;
import dev.parley.workflows.schedule.Schedule.Misfire;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final ZoneId UTC = ZoneId.of("UTC");

    private static Schedule every(String length, Misfire misfire) {
        return new Schedule(Duration.parse(length), null, null, UTC, misfire);
    }

    private static Schedule cron(String expression, String zone, Misfire misfire) {
        return new Schedule(null, Cron.of(expression), null, ZoneId.of(zone), misfire);
    }

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    @Test
    void eachStartIsDueOnce() {
        Schedule schedule = every("PT10M", Misfire.ALL);

        Due first = schedule.due(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:10:05Z"));
        assertEquals(List.of(at("2026-01-01T00:10:00Z")), first.starts());
        assertEquals(
                List.of(),
                schedule.due(first.handled(), at("2026-01-01T00:19:59Z")).starts());
        assertEquals(
                List.of(at("2026-01-01T00:20:00Z")),
                schedule.due(first.handled(), at("2026-01-01T00:20:00Z")).starts());
    }

    @Test
    void clockThatJumpsBackMakesNothingDue() {
        Schedule schedule = every("PT1M", Misfire.ALL);

        Due due = schedule.due(at("2026-01-01T01:00:00Z"), at("2026-01-01T00:30:00Z"));

        assertEquals(new Due(List.of(), at("2026-01-01T01:00:00Z")), due);
    }

    @ParameterizedTest
    @CsvSource({"ALL, 6", "ONCE, 1", "SKIP, 0"})
    void missedStartsFollowTheMisfirePolicy(Misfire misfire, int starts) {
        Due due = cron("0 * * * *", "UTC", misfire).due(at("2026-01-01T00:30:00Z"), at("2026-01-01T06:30:00Z"));

        assertEquals(starts, due.starts().size());
        assertEquals(at("2026-01-01T06:00:00Z"), due.handled());
    }

    @Test
    void startWithinTheGraceTimeIsNotMissed() {
        Due due = cron("0 * * * *", "UTC", Misfire.SKIP).due(at("2026-01-01T00:30:00Z"), at("2026-01-01T02:00:30Z"));

        assertEquals(List.of(at("2026-01-01T02:00:00Z")), due.starts());
    }

    @Test
    void limitsTheNumberOfMissedStarts() {
        Due due = every("PT1S", Misfire.ALL).due(at("2016-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z"));

        assertEquals(Schedule.MAX_STARTS, due.starts().size());
        assertEquals(at("2026-01-01T00:00:00Z"), due.starts().getLast());
    }

    @Test
    void followsTheZoneAcrossDaylightSavingTime() {
        Schedule nine = cron("0 9 * * MON-FRI", "Europe/Berlin", Misfire.ALL);

        assertEquals(
                at("2026-03-27T08:00:00Z"),
                nine.next(at("2026-03-26T12:00:00Z")).orElseThrow()); // Friday, winter
        assertEquals(
                at("2026-03-30T07:00:00Z"),
                nine.next(at("2026-03-27T12:00:00Z")).orElseThrow()); // Monday, summer
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # either day is enough, where both are restricted
            0 0 13 * 5     | UTC           | 2026-01-01T00:00:00Z | 01-02T00:00 01-09T00:00 01-13T00:00 01-16T00:00
            0 0 13 * *     | UTC           | 2026-01-01T00:00:00Z | 01-13T00:00 02-13T00:00
            0 0 * * 5      | UTC           | 2026-01-01T00:00:00Z | 01-02T00:00 01-09T00:00
            0 0 */10 * 5   | UTC           | 2026-01-01T00:00:00Z | 05-01T00:00 07-31T00:00
            0 0 1 * MON    | UTC           | 2026-01-01T00:00:00Z | 01-05T00:00 01-12T00:00 01-19T00:00 01-26T00:00 02-01T00:00
            # Sunday is 0 and 7
            0 0 * * 0      | UTC           | 2026-01-01T00:00:00Z | 01-04T00:00 01-11T00:00
            0 0 * * 7      | UTC           | 2026-01-01T00:00:00Z | 01-04T00:00 01-11T00:00
            0 0 * * 0-2    | UTC           | 2026-01-01T00:00:00Z | 01-04T00:00 01-05T00:00 01-06T00:00 01-11T00:00
            0 0 * * 5-7    | UTC           | 2026-01-01T00:00:00Z | 01-02T00:00 01-03T00:00 01-04T00:00 01-09T00:00
            0 0 * * fri-sun | UTC          | 2026-01-01T00:00:00Z | 01-02T00:00 01-03T00:00 01-04T00:00 01-09T00:00
            0 0 * * SUN,2  | UTC           | 2026-01-01T00:00:00Z | 01-04T00:00 01-06T00:00 01-11T00:00
            0 0 * * 1-5/2  | UTC           | 2026-01-01T00:00:00Z | 01-02T00:00 01-05T00:00 01-07T00:00
            # the repeated hour once, the skipped hour once after it
            30 2 * * *     | Europe/Berlin | 2026-10-24T12:00:00Z | 10-25T00:30 10-26T01:30
            30 2 * * *     | Europe/Berlin | 2026-10-25T00:45:00Z | 10-26T01:30
            30 2 * * *     | Europe/Berlin | 2026-03-28T12:00:00Z | 03-29T01:00 03-30T00:30
            0,30 2 * * *   | Europe/Berlin | 2026-03-28T12:00:00Z | 03-29T01:00 03-30T00:00 03-30T00:30
            30 2,3 * * *   | Europe/Berlin | 2026-03-28T12:00:00Z | 03-29T01:00 03-29T01:30 03-30T00:30
            15 30 2 * * *  | Europe/Berlin | 2026-10-24T12:00:00Z | 10-25T00:30:15 10-26T01:30:15
            # but what passes, passes
            30 * * * *     | Europe/Berlin | 2026-10-25T00:00:00Z | 10-25T00:30 10-25T01:30 10-25T02:30
            */30 2 * * *   | Europe/Berlin | 2026-10-24T12:00:00Z | 10-25T00:00 10-25T00:30 10-25T01:00 10-25T01:30
            # a midnight that does not exist
            0 0 * * *      | Africa/Cairo  | 2026-04-23T12:00:00Z | 04-23T22:00 04-24T21:00
            # a day that did not exist
            0 9 * * *      | Pacific/Apia  | 2011-12-29T12:00:00Z | 12-29T19:00 12-30T10:00 12-30T19:00
            """)
    void readsCronAsPosixAndCronieDo(String expression, String zone, String after, String expected) {
        // Given
        Schedule schedule = cron(expression, zone, Misfire.ALL);
        Instant time = at(after);

        for (String next : expected.split(" ")) {
            // When
            time = schedule.next(time).orElseThrow();

            // Then
            String seconds = next.length() < "MM-ddTHH:mm:ss".length() ? ":00Z" : "Z";
            assertEquals(at(after.substring(0, 5) + next + seconds), time);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "* * * *", "0 0 * * 8", "0 0 * * 6-1", "0 0 32 * 5", "a b c d e", "0 0 * * FRY", "0 24 * * *"
            })
    void rejectsOtherExpressions(String expression) {
        assertThrows(IllegalArgumentException.class, () -> Cron.of(expression));
    }

    @Test
    void impossibleDateIsNeverDue() {
        assertTrue(cron("0 0 30 2 *", "UTC", Misfire.ALL)
                .next(at("2026-01-01T00:00:00Z"))
                .isEmpty());
    }
}
