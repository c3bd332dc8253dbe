package dev.parley.workflows.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.workflows.schedule.Schedule.Due;
import dev.parley.workflows.schedule.Schedule.Misfire;
import io.micronaut.scheduling.cron.CronExpression;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    private static final ZoneId UTC = ZoneId.of("UTC");

    private static Schedule every(String length, Misfire misfire) {
        return new Schedule(Duration.parse(length), null, null, UTC, misfire);
    }

    private static Schedule cron(String expression, String zone, Misfire misfire) {
        return new Schedule(null, CronExpression.create(expression), null, ZoneId.of(zone), misfire);
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

    @Test
    void skippedHourStartsAtMostOnceThatDay() {
        Schedule night = cron("30 2 * * *", "Europe/Berlin", Misfire.ALL);

        Due due = night.due(at("2026-03-28T12:00:00Z"), at("2026-03-30T12:00:00Z"));

        assertTrue(due.starts().size() <= 2, due.toString());
        assertEquals(at("2026-03-30T00:30:00Z"), due.starts().getLast());
    }

    @Test
    void impossibleDateIsNeverDue() {
        assertTrue(cron("0 0 30 2 *", "UTC", Misfire.ALL)
                .next(at("2026-01-01T00:00:00Z"))
                .isEmpty());
    }
}
