package dev.parley.workflows.schedule;

import dev.parley.platform.schedule.Cron;
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
        @Nullable Cron cron,
        @Nullable Duration after,
        ZoneId zone,
        Misfire misfire) {
    /** Minimum time between starts. */
    public static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

    /** Maximum number of missed starts that are caught up. */
    public static final int MAX_STARTS = 100;

    /** Delay after which a start counts as missed. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** Policy for missed starts. */
    public enum Misfire {
        /** Missed starts are dropped. */
        SKIP,
        /** One start replaces all missed starts. */
        ONCE,
        /** Each missed start is caught up, at most the latest {@value Schedule#MAX_STARTS}. */
        ALL
    }

    /**
     * Due starts.
     *
     * @param starts times of the starts, in order
     * @param handled end of the handled time
     */
    public record Due(List<Instant> starts, Instant handled) {}

    /**
     * The due starts. A clock that jumps back finds none.
     *
     * @param handled end of the handled time, at first the publication of the definition
     * @param now current time
     */
    public Due due(Instant handled, Instant now) {
        var starts = new ArrayList<Instant>();
        Instant latest = handled;
        Optional<Instant> next = next(skipMissed(latest, now));
        while (next.isPresent() && !next.get().isAfter(now)) {
            starts.add(next.get());
            if (starts.size() > MAX_STARTS) {
                starts.removeFirst();
            }
            latest = next.get();
            next = next(latest);
        }
        return new Due(applyMisfirePolicy(starts, now), starts.isEmpty() ? handled : latest);
    }

    /** The first start after a time, or empty. */
    public Optional<Instant> next(Instant after) {
        if (every != null) {
            return Optional.of(after.plus(every));
        }
        return cron == null ? Optional.empty() : cron.next(after, zone);
    }

    /** Skips to the end of a long downtime with a short interval, because only the latest starts are caught up. */
    private Instant skipMissed(Instant handled, Instant now) {
        if (every == null || !now.isAfter(handled)) {
            return handled;
        }
        long missed = Duration.between(handled, now).dividedBy(every);
        return missed > MAX_STARTS ? handled.plus(every.multipliedBy(missed - MAX_STARTS)) : handled;
    }

    private List<Instant> applyMisfirePolicy(List<Instant> starts, Instant now) {
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
