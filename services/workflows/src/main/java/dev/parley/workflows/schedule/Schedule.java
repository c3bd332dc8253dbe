package dev.parley.workflows.schedule;

import io.micronaut.scheduling.cron.CronExpression;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of a workflow. Each start is identified by its due time, so that a repeated start creates one process.
 *
 * @param every interval between starts, from publication; or null
 * @param cron cron expression of the starts; or null
 * @param after delay from the end of a process to the next start, the first at publication; or null
 * @param zone time zone of {@code cron}
 * @param misfire policy for starts missed during downtime
 */
public record Schedule(
        @Nullable Duration every,
        @Nullable CronExpression cron,
        @Nullable Duration after,
        ZoneId zone,
        Misfire misfire) {
    /** The shortest time between two beginnings. */
    public static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

    /** Most beginnings that are made up for at once. */
    public static final int MAX_STARTS = 100;

    /** What is later than this was missed. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** What becomes of beginnings that were due while nobody looked. */
    public enum Misfire {
        /** They are left out. */
        SKIP,
        /** One stands for all. */
        ONCE,
        /** Each is made up for, the latest {@value Schedule#MAX_STARTS}. */
        ALL
    }

    /**
     * What is due.
     *
     * @param starts the moments that processes begin for, in order
     * @param handled up to when that is said
     */
    public record Due(List<Instant> starts, Instant handled) {}

    /**
     * The beginnings that are due by the clock. A clock that jumps back finds nothing.
     *
     * @param handled up to when beginnings were handled, or when the definition was published
     * @param now the present
     */
    public Due due(Instant handled, Instant now) {
        var starts = new ArrayList<Instant>();
        Instant at = handled;
        Optional<Instant> next = next(skipped(at, now));
        while (next.isPresent() && !next.get().isAfter(now)) {
            starts.add(next.get());
            if (starts.size() > MAX_STARTS) {
                starts.removeFirst();
            }
            at = next.get();
            next = next(at);
        }
        return new Due(kept(starts, now), starts.isEmpty() ? handled : at);
    }

    /** The first beginning by the clock after a moment, or empty where there is none. */
    public Optional<Instant> next(Instant after) {
        if (every != null) {
            return Optional.of(after.plus(every));
        }
        if (cron == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(cron.nextTimeAfter(after.atZone(zone)).toInstant());
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // such a day never comes
        }
    }

    /** Where a long time was missed of a short rhythm, only its end is looked at: there are more than can be made up for. */
    private Instant skipped(Instant handled, Instant now) {
        if (every == null || !now.isAfter(handled)) {
            return handled;
        }
        long missed = Duration.between(handled, now).dividedBy(every);
        return missed > MAX_STARTS ? handled.plus(every.multipliedBy(missed - MAX_STARTS)) : handled;
    }

    private List<Instant> kept(List<Instant> starts, Instant now) {
        if (starts.isEmpty()) {
            return starts;
        }
        return switch (misfire) {
            case ALL -> starts;
            case ONCE -> List.of(starts.getLast());
            case SKIP ->
                starts.stream()
                        .filter(start -> !start.plus(GRACE).isBefore(now))
                        .toList();
        };
    }
}
