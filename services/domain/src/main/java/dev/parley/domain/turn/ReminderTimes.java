package dev.parley.domain.turn;

import dev.parley.domain.turn.answer.ToolArguments;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When a reminder is due, as a model says it: at a time, after a while, or again and again.
 *
 * @param first the first time
 * @param cron the times of one that repeats, or null
 */
record ReminderTimes(Instant first, @Nullable String cron) {
    /** Minimum time between two times of one that repeats. */
    static final Duration MIN_INTERVAL = Duration.ofMinutes(10);

    /** Maximum time until a reminder. */
    static final Duration MAX_AHEAD = Duration.ofDays(5 * 366);

    private static final int CHECKED_TIMES = 12;
    private static final String USAGE =
            "remind needs one of at, such as 2030-01-31T09:00, after, such as PT20M, and cron, such as 0 9 * * 1-5";

    /** @throws IllegalArgumentException if it is no time to come; the message is for the model */
    static ReminderTimes of(ToolArguments arguments, ZoneId zone, Instant now, Recurrences recurrences) {
        String at = arguments.text("at");
        String after = arguments.text("after");
        String cron = arguments.text("cron");
        if (Stream.of(at, after, cron).filter(text -> !text.isBlank()).count() != 1) {
            throw new IllegalArgumentException(USAGE);
        }
        var times = cron.isBlank()
                ? new ReminderTimes(at.isBlank() ? after(after, now) : at(at, zone), null)
                : new ReminderTimes(first(cron, zone, now, recurrences), cron);
        if (!times.first().isAfter(now)) {
            throw new IllegalArgumentException(
                    "this time has passed: it is " + now.atZone(zone).toOffsetDateTime());
        }
        if (times.first().isAfter(now.plus(MAX_AHEAD))) {
            throw new IllegalArgumentException("a reminder is at most five years ahead");
        }
        return times;
    }

    private static Instant after(String text, Instant now) {
        try {
            return now.plus(Duration.parse(text));
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("after must be a duration, such as PT20M or PT48H", e);
        }
    }

    /** A time without an offset is one on the clock of the zone. */
    private static Instant at(String text, ZoneId zone) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notAbsolute) {
            try {
                return clock(LocalDateTime.parse(text), zone);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("at must be a time, such as 2030-01-31T09:00", e);
            }
        }
    }

    /**
     * A time on a clock, as cron has it: one that is skipped where the clock goes forward is at the change; one that is
     * repeated where it goes back is the first of the two.
     */
    private static Instant clock(LocalDateTime time, ZoneId zone) {
        ZoneOffsetTransition change = zone.getRules().getTransition(time);
        if (change == null) {
            return time.atZone(zone).toInstant();
        }
        return change.isGap() ? change.getInstant() : time.toInstant(change.getOffsetBefore());
    }

    private static Instant first(String cron, ZoneId zone, Instant now, Recurrences recurrences) {
        Optional<Instant> first = next(cron, zone, now, recurrences);
        Instant time = first.orElseThrow(() -> new IllegalArgumentException("the times of cron never come"));
        Optional<Instant> next = first;
        for (int i = 0; i < CHECKED_TIMES && next.isPresent(); i++) {
            Instant before = next.get();
            next = recurrences.next(cron, zone, before);
            if (next.isPresent() && next.get().isBefore(before.plus(MIN_INTERVAL))) {
                throw new IllegalArgumentException(
                        "a reminder repeats every %d minutes at most".formatted(MIN_INTERVAL.toMinutes()));
            }
        }
        return time;
    }

    private static Optional<Instant> next(String cron, ZoneId zone, Instant now, Recurrences recurrences) {
        try {
            return recurrences.next(cron, zone, now);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("cron must have five fields, such as 0 9 * * 1-5: " + e.getMessage(), e);
        }
    }
}
