package dev.parley.workflows.definition;

import dev.parley.platform.schedule.Cron;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.schedule.Schedule;
import dev.parley.workflows.schedule.Schedule.Misfire;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code schedule}. */
final class ScheduleReader {
    private ScheduleReader() {}

    /** @return null if only events start it */
    static @Nullable Schedule read(DefinitionNode part) {
        part.isObject("every", "cron", "after", "on", "timeZone", "misfire");
        List<String> found =
                Stream.of("every", "cron", "after", "on").filter(part::has).toList();
        if (found.size() != 1) {
            part.addProblem("a schedule has one of every, cron, after, on");
            return null;
        }
        String misfire = part.get("misfire").oneOf("once", "skip", "once", "all");
        if (found.getFirst().equals("on")) {
            return null;
        }
        return new Schedule(
                length(part.get("every"), Schedule.MIN_INTERVAL),
                cron(part.get("cron")),
                length(part.get("after"), Duration.ZERO),
                zone(part.get("timeZone")),
                Misfire.valueOf(misfire.toUpperCase(Locale.ROOT)));
    }

    private static @Nullable Duration length(DefinitionNode part, Duration minimum) {
        if (!part.isThere()) {
            return null;
        }
        if (part.value() instanceof Json.Obj) {
            part.isObject(DurationExpression.UNITS.toArray(String[]::new));
        }
        Duration length = DurationExpression.of(part.value()).orElse(Duration.ZERO);
        if (length.isZero() || length.compareTo(minimum) < 0) {
            part.addProblem(
                    "not a duration of at least " + (minimum.isZero() ? "a millisecond" : minimum.toSeconds() + " s")
                            + ": use ISO 8601, such as PT15M, or an object with "
                            + String.join(", ", DurationExpression.UNITS));
            return null;
        }
        return length;
    }

    private static @Nullable Cron cron(DefinitionNode part) {
        if (!part.isThere()) {
            return null;
        }
        try {
            return Cron.of(part.text());
        } catch (IllegalArgumentException e) {
            part.addProblem("not a cron expression such as '0 9 * * MON-FRI': " + e.getMessage());
            return null;
        }
    }

    private static ZoneId zone(DefinitionNode part) {
        if (!part.isThere()) {
            return ZoneOffset.UTC;
        }
        try {
            return ZoneId.of(part.text());
        } catch (DateTimeException e) {
            part.addProblem("not a time zone such as Europe/Berlin");
            return ZoneOffset.UTC;
        }
    }
}
