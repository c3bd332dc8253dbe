package dev.parley.platform.schedule;

import io.micronaut.scheduling.cron.CronExpression;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cron expression, read as POSIX and cronie read it.
 *
 * <ul>
 *   <li>If both the day of the month and the weekday are restricted, either is enough. A field that begins with {@code *}
 *       is not restricted.
 *   <li>Weekdays are 0 to 7 or names; 0 and 7 are Sunday.
 *   <li>Times of a day: where clocks go forward, a time that is skipped is at the change; where they go back, a repeated
 *       time is the first one. Expressions whose minute or hour begins with {@code *} follow the time that passes.
 * </ul>
 *
 * @see <a href="https://man7.org/linux/man-pages/man8/cron.8.html">cron(8)</a>, daylight saving time
 */
public final class Cron {
    private static final int FIELDS_WITHOUT_SECONDS = 5;
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final Pattern RANGE = Pattern.compile("(\\d|[A-Z]{3})(?:-(\\d|[A-Z]{3}))?(?:/([1-9]))?");
    private static final Pattern EACH = Pattern.compile("\\*/([1-9])");

    /** One expression, or two of which either is enough. */
    private final List<CronExpression> alternatives;

    private final boolean passing;

    private Cron(List<CronExpression> alternatives, boolean passing) {
        this.alternatives = alternatives;
        this.passing = passing;
    }

    /**
     * Reads an expression of five fields, or of six with seconds first.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Cron of(String expression) {
        List<String> fields = List.of(expression.strip().split("\\s+"));
        if (fields.size() < FIELDS_WITHOUT_SECONDS) {
            return new Cron(List.of(CronExpression.create(expression)), false); // says what is wrong
        }
        int last = fields.size() - 1;
        String days = fields.get(last - 2);
        String weekdays = weekdays(fields.get(last).toUpperCase(Locale.ROOT));
        boolean either = isRestricted(days) && isRestricted(fields.get(last));
        List<String> time = fields.subList(0, last - 2);
        String month = fields.get(last - 1);
        Stream<List<String>> alternatives = either
                ? Stream.of(List.of(days, month, "*"), List.of("*", month, weekdays))
                : Stream.of(List.of(days, month, weekdays));
        return new Cron(
                alternatives
                        .map(date -> Stream.concat(time.stream(), date.stream()).collect(Collectors.joining(" ")))
                        .map(CronExpression::create)
                        .toList(),
                time.stream().anyMatch(field -> field.startsWith("*")));
    }

    private static boolean isRestricted(String field) {
        return !field.startsWith("*") && !field.equals("?");
    }

    /** Weekdays 1 to 7 from Monday, each by itself; other notations are unchanged. */
    private static String weekdays(String field) {
        return Stream.of(field.split(",", -1)).map(Cron::weekday).collect(Collectors.joining(","));
    }

    private static String weekday(String item) {
        Matcher each = EACH.matcher(item);
        if (each.matches()) {
            return list(0, 6, Integer.parseInt(each.group(1)));
        }
        Matcher range = RANGE.matcher(item);
        if (!range.matches()) {
            return item;
        }
        int from = number(range.group(1));
        int to = range.group(2) == null ? from : number(range.group(2));
        int end = to == 0 && from > 0 ? 7 : to; // FRI-SUN
        boolean valid = from >= 0 && to >= 0 && from <= end && end <= 7 && (range.group(3) == null || to != from);
        return valid ? list(from, end, range.group(3) == null ? 1 : Integer.parseInt(range.group(3))) : item;
    }

    private static int number(String day) {
        return Character.isDigit(day.charAt(0)) ? day.charAt(0) - '0' : DAYS.indexOf(day);
    }

    private static String list(int from, int to, int step) {
        return IntStream.rangeClosed(from, to)
                .filter(day -> (day - from) % step == 0)
                .map(day -> day == 0 ? 7 : day)
                .distinct()
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(","));
    }

    /**
     * The first time of an expression after this one, or empty if there is none.
     *
     * @throws IllegalArgumentException if it is not an expression
     */
    public static Optional<Instant> next(String expression, ZoneId zone, Instant after) {
        return of(expression).next(after, zone);
    }

    /** The first time after this one, or empty if there is none. */
    public Optional<Instant> next(Instant after, ZoneId zone) {
        return alternatives.stream()
                .flatMap(expression ->
                        (passing ? passing(expression, after, zone) : timeOfDay(expression, after, zone)).stream())
                .min(Instant::compareTo);
    }

    private static Optional<Instant> passing(CronExpression expression, Instant after, ZoneId zone) {
        try {
            return Optional.of(expression.nextTimeAfter(after.atZone(zone)).toInstant());
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it never matches again
        }
    }

    /** Finds times on the clock, and then when they are: a day earlier covers every change of a clock. */
    private static Optional<Instant> timeOfDay(CronExpression expression, Instant after, ZoneId zone) {
        LocalDateTime clock = after.atZone(zone).toLocalDateTime().minusDays(1);
        Optional<Instant> next = passing(expression, clock.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
        while (next.isPresent()) {
            Instant time = instant(LocalDateTime.ofInstant(next.get(), ZoneOffset.UTC), zone.getRules());
            if (time.isAfter(after)) {
                return Optional.of(time);
            }
            next = passing(expression, next.get(), ZoneOffset.UTC);
        }
        return Optional.empty();
    }

    private static Instant instant(LocalDateTime clock, ZoneRules rules) {
        ZoneOffsetTransition change = rules.getTransition(clock);
        if (change == null) {
            return clock.toInstant(rules.getOffset(clock));
        }
        return change.isGap() ? change.getInstant() : clock.toInstant(change.getOffsetBefore());
    }
}
