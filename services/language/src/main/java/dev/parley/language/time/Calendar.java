package dev.parley.language.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Resolves time expressions to spans of the calendar, relative to a reference time. */
final class Calendar {
    /** Length of "before" and "after" a year or decade, in years, unless the reference bounds it. */
    private static final int FAR = 10;
    /** Length of "before" and "after" a smaller unit, in years. */
    private static final int NEAR = 1;
    /** Maximum cycles searched for an occurrence: leap days recur within eight years. */
    private static final int ROUNDS = 8;

    private static final int[] PART_BEGINS = {6, 12, 18, 18};
    private static final int[] PART_HOURS = {6, 6, 6, 12};

    final ZonedDateTime now;
    final LocalDate today;
    private final ZoneId zone;

    Calendar(ZonedDateTime now) {
        this.now = now;
        today = now.toLocalDate();
        zone = now.getZone();
    }

    static Span days(LocalDate from, LocalDate to, CalendarUnit unit, ZoneId zone) {
        return new Span(from.atStartOfDay(zone), to.atStartOfDay(zone), unit);
    }

    Span days(LocalDate from, LocalDate to, CalendarUnit unit) {
        return days(from, to, unit, zone);
    }

    Span day(LocalDate day) {
        return days(day, day.plusDays(1), CalendarUnit.DAY);
    }

    Span year(int year) {
        return days(LocalDate.of(year, 1, 1), LocalDate.of(year + 1, 1, 1), CalendarUnit.YEAR);
    }

    Span decade(int year) {
        return days(LocalDate.of(year, 1, 1), LocalDate.of(year + 10, 1, 1), CalendarUnit.DECADE);
    }

    /** The unit that contains this day. */
    Span around(CalendarUnit unit, LocalDate day) {
        LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        LocalDate first = day.withDayOfMonth(1);
        return switch (unit) {
            case MINUTE, HOUR, DAY, PART -> day(day);
            case WEEK -> days(monday, monday.plusWeeks(1), unit);
            case WEEKEND -> days(monday.plusDays(5), monday.plusWeeks(1), unit);
            case MONTH -> days(first, first.plusMonths(1), unit);
            case QUARTER, SEASON -> {
                LocalDate from = first.withMonth((day.getMonthValue() - 1) / 3 * 3 + 1);
                yield days(from, from.plusMonths(3), unit);
            }
            case YEAR -> year(day.getYear());
            case DECADE -> decade(day.getYear() - Math.floorMod(day.getYear(), 10));
        };
    }

    /** The current unit, moved by an offset: -1 week is last week. */
    Span relative(CalendarUnit unit, int offset) {
        return around(unit, plus(today, unit, offset));
    }

    static LocalDate plus(LocalDate day, CalendarUnit unit, long count) {
        return switch (unit) {
            case MINUTE, HOUR, PART -> day;
            case DAY -> day.plusDays(count);
            case WEEK, WEEKEND -> day.plusWeeks(count);
            case MONTH -> day.plusMonths(count);
            case QUARTER, SEASON -> day.plusMonths(3 * count);
            case YEAR -> day.plusYears(count);
            case DECADE -> day.plusYears(10 * count);
        };
    }

    /** "Three days ago", "in a few weeks": a distance in units, into the past (-1) or the future (1). */
    Span away(int min, int max, CalendarUnit unit, int sign) {
        if (unit == CalendarUnit.HOUR || unit == CalendarUnit.MINUTE) {
            return clock(min, max, unit, sign);
        }
        if (min == max) {
            return relative(unit, sign * min);
        }
        LocalDate nearer = vague(unit, sign * min);
        LocalDate farther = vague(unit, sign * max);
        return sign < 0
                ? days(farther, nearer.plusDays(1), CalendarUnit.PART)
                : days(nearer, farther.plusDays(1), CalendarUnit.PART);
    }

    /** Vague counts of months use months of thirty days. */
    private LocalDate vague(CalendarUnit unit, int count) {
        return unit == CalendarUnit.MONTH ? today.plusDays(30L * count) : plus(today, unit, count);
    }

    private Span clock(int min, int max, CalendarUnit unit, int sign) {
        ChronoUnit clock = unit == CalendarUnit.HOUR ? ChronoUnit.HOURS : ChronoUnit.MINUTES;
        int slack = min != max ? 0 : unit == CalendarUnit.HOUR ? 30 : Math.min(5, min);
        ZonedDateTime nearer = now.plus((long) sign * min, clock);
        ZonedDateTime farther = now.plus((long) sign * max, clock);
        return sign < 0
                ? new Span(farther.minusMinutes(slack), nearer.plusMinutes(slack), CalendarUnit.PART)
                : new Span(nearer.minusMinutes(slack), farther.plusMinutes(slack), CalendarUnit.PART);
    }

    /** "The last three days": the units before the reference; or the units after it. */
    Span rolling(int count, CalendarUnit unit, int sign) {
        if (unit == CalendarUnit.HOUR || unit == CalendarUnit.MINUTE) {
            var edge = now.plus((long) sign * count, unit == CalendarUnit.HOUR ? ChronoUnit.HOURS : ChronoUnit.MINUTES);
            return sign < 0 ? until(edge) : from(edge);
        }
        LocalDate edge = plus(today, unit, (long) sign * count);
        return sign < 0 ? until(edge.atStartOfDay(zone)) : from(edge.plusDays(1).atStartOfDay(zone));
    }

    private Span until(ZonedDateTime start) {
        return new Span(start, now.plusNanos(1_000_000), CalendarUnit.PART);
    }

    private Span from(ZonedDateTime end) {
        return new Span(now, end, CalendarUnit.PART);
    }

    /** A part of a day: 0 morning, 1 afternoon, 2 evening, 3 night. */
    Span part(Span day, int part) {
        ZonedDateTime from =
                day.from().toLocalDate().atTime(PART_BEGINS[part], 0).atZone(zone);
        return new Span(
                from,
                day.from()
                        .toLocalDate()
                        .atTime(PART_BEGINS[part], 0)
                        .plusHours(PART_HOURS[part])
                        .atZone(zone),
                CalendarUnit.PART);
    }

    /**
     * "Earlier this week" (0), "later today" (1): the part before, or after the reference; null if the span does not
     * contain it.
     */
    @Nullable
    Span side(Span span, int side) {
        if (now.isBefore(span.from()) || !now.isBefore(span.to())) {
            return null;
        }
        return side == 0 ? until(span.from()) : from(span.to());
    }

    /** The span of a time in a sentence of this tense; null if it has none. */
    @Nullable
    Span resolve(Time time, Tense tense) {
        return switch (time) {
            case Span span -> span;
            case Time.Never _ -> null;
            case Time.Cycle cycle -> nearest(cycle, tense);
        };
    }

    /**
     * The default occurrence without modifiers: the latest that has started, or the first that is not over. A date in a
     * sentence without a tense is the nearest one.
     */
    private @Nullable Span nearest(Time.Cycle cycle, Tense tense) {
        boolean day = cycle instanceof Time.Weekly weekly && weekly.days() == 1;
        Span past = latest(
                cycle,
                span -> day
                        ? span.from().toLocalDate().isBefore(today)
                        : !span.from().isAfter(now));
        Span future = first(
                cycle,
                span -> day
                        ? span.from().toLocalDate().isAfter(today)
                        : span.to().isAfter(now));
        boolean open = tense == Tense.OPEN && cycle instanceof Time.Yearly yearly && yearly.months() == 0;
        if (past == null || future == null || !open) {
            return tense == Tense.FUTURE ? future : past;
        }
        boolean ahead = future.from().toEpochSecond() - now.toEpochSecond()
                < now.toEpochSecond() - past.to().toEpochSecond();
        return ahead ? future : past;
    }

    /**
     * This day of a month in the nearest month in which it is this weekday: the latest, the next or, without a tense,
     * the nearest.
     */
    Time nearest(int weekday, int dayOfMonth, Tense tense) {
        for (int away = 0; away < 2 * 366; away++) {
            LocalDate before = today.minusDays(away);
            LocalDate after = today.plusDays(away);
            if (tense != Tense.FUTURE && falls(before, weekday, dayOfMonth)) {
                return day(before);
            }
            if (tense != Tense.PAST && falls(after, weekday, dayOfMonth)) {
                return day(after);
            }
        }
        return Time.Never.NEVER;
    }

    private static boolean falls(LocalDate date, int weekday, int dayOfMonth) {
        return date.getDayOfMonth() == dayOfMonth && date.getDayOfWeek().getValue() == weekday;
    }

    /** The latest occurrence that starts on this weekday; the next one if none did in the last years. */
    Time agreeing(Time.Cycle cycle, int weekday) {
        Span span = latest(
                cycle,
                today,
                occurrence -> !occurrence.from().isAfter(now)
                        && occurrence.from().getDayOfWeek().getValue() == weekday);
        span = span != null
                ? span
                : first(cycle, occurrence -> occurrence.from().getDayOfWeek().getValue() == weekday);
        return span == null ? Time.Never.NEVER : span;
    }

    /** The last, current, next or coming occurrence. */
    @Nullable
    Span occurrence(Time.Cycle cycle, Choice choice) {
        return switch (choice) {
            case LAST, PAST -> latest(cycle, today, span -> !span.to().isAfter(today.atStartOfDay(zone)));
            case THIS -> {
                Span holding = latest(cycle, today, span -> !span.from().isAfter(now));
                yield holding != null && holding.to().isAfter(now) ? holding : cycle.around(today, zone);
            }
            case NEXT ->
                cycle instanceof Time.Weekly
                        ? cycle.around(today.plusWeeks(1), zone)
                        : first(cycle, span -> span.from().isAfter(now));
            case COMING -> first(cycle, span -> span.from().isAfter(now));
        };
    }

    /** The latest occurrence that does not start after this time. */
    @Nullable
    Span upTo(Time.Cycle cycle, Span span) {
        return latest(
                cycle,
                span.from().toLocalDate(),
                occurrence -> !occurrence.from().isAfter(span.from()));
    }

    /** The first occurrence that does not start before this time. */
    @Nullable
    Span onward(Time.Cycle cycle, Span span) {
        return first(
                cycle,
                span.from().toLocalDate(),
                occurrence -> !occurrence.from().isBefore(span.from()));
    }

    private @Nullable Span latest(Time.Cycle cycle, Predicate<Span> fits) {
        return latest(cycle, today, fits);
    }

    private @Nullable Span first(Time.Cycle cycle, Predicate<Span> fits) {
        return first(cycle, today, fits);
    }

    private @Nullable Span latest(Time.Cycle cycle, LocalDate date, Predicate<Span> fits) {
        for (int round = 1; round >= -ROUNDS; round--) {
            Span span = cycle.around(cycle.step(date, round), zone);
            if (span != null && fits.test(span)) {
                return span;
            }
        }
        return null;
    }

    private @Nullable Span first(Time.Cycle cycle, LocalDate date, Predicate<Span> fits) {
        for (int round = -1; round <= ROUNDS; round++) {
            Span span = cycle.around(cycle.step(date, round), zone);
            if (span != null && fits.test(span)) {
                return span;
            }
        }
        return null;
    }

    /**
     * A cycle within a span: the one occurrence that starts in it, otherwise the intersection. Several occurrences do
     * not narrow the span; no occurrence is a contradiction.
     */
    Time within(Time.Cycle cycle, Span span) {
        int overlapping = 0;
        int started = 0;
        Time common = Time.Never.NEVER;
        Time single = Time.Never.NEVER;
        LocalDate day = cycle.step(span.from().toLocalDate(), -1);
        LocalDate end = cycle.step(span.to().toLocalDate(), 1);
        for (int round = 0; round < 64 && !day.isAfter(end); round++, day = cycle.step(day, 1)) {
            Span occurrence = cycle.around(day, zone);
            if (occurrence == null) {
                continue;
            }
            if (!occurrence.from().isBefore(span.from()) && occurrence.from().isBefore(span.to())) {
                started++;
                single = occurrence;
            } else if (occurrence.meets(span)) {
                overlapping++;
                common = occurrence.with(span);
            }
        }
        return started == 1 ? single : started > 1 || overlapping > 1 ? span : common;
    }

    /** "Since": from the start of the span to the reference. */
    @Nullable
    Span since(Span span) {
        return span.from().isAfter(now) ? null : until(span.from());
    }

    /** "After": from the end of the span to the reference, or for a default length if the span is not over. */
    Span after(Span span) {
        ZonedDateTime end =
                span.to().isBefore(now) ? now.plusNanos(1_000_000) : span.to().plusYears(reach(span));
        return new Span(span.to(), end, CalendarUnit.PART);
    }

    /** "Until" and "before": from the reference if the span is in the future, otherwise a default length. */
    Span before(Span span, boolean included) {
        ZonedDateTime end = included ? span.to() : span.from();
        return new Span(end.isAfter(now) ? now : span.from().minusYears(reach(span)), end, CalendarUnit.PART);
    }

    private static int reach(Span span) {
        return span.unit() == CalendarUnit.YEAR || span.unit() == CalendarUnit.DECADE ? FAR : NEAR;
    }
}
