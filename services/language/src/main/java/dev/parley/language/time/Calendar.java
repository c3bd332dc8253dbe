package dev.parley.language.time;

import dev.parley.language.time.Sentence.Tense;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What expressions are on the calendar, seen from one moment. */
final class Calendar {
    /** How far "before" and "after" reach from a year, in years, where nothing else says it. */
    private static final int FAR = 10;
    /** How far they reach from anything smaller, in years. */
    private static final int NEAR = 1;
    /** Rounds that a cycle is looked for: leap days come within eight years. */
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

    static Span days(LocalDate from, LocalDate to, Unit unit, ZoneId zone) {
        return new Span(from.atStartOfDay(zone), to.atStartOfDay(zone), unit);
    }

    Span days(LocalDate from, LocalDate to, Unit unit) {
        return days(from, to, unit, zone);
    }

    Span day(LocalDate day) {
        return days(day, day.plusDays(1), Unit.DAY);
    }

    Span year(int year) {
        return days(LocalDate.of(year, 1, 1), LocalDate.of(year + 1, 1, 1), Unit.YEAR);
    }

    Span decade(int year) {
        return days(LocalDate.of(year, 1, 1), LocalDate.of(year + 10, 1, 1), Unit.DECADE);
    }

    /** The week, month or the like that this day is in. */
    Span around(Unit unit, LocalDate day) {
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

    /** The unit of today or one that many before (negative) or after it: -1 week is last week. */
    Span relative(Unit unit, int offset) {
        return around(unit, plus(today, unit, offset));
    }

    static LocalDate plus(LocalDate day, Unit unit, long count) {
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

    /** "Three days ago", "in a few weeks": so many units away, back (-1) or ahead (1). */
    Span away(int least, int most, Unit unit, int sign) {
        if (unit == Unit.HOUR || unit == Unit.MINUTE) {
            return clock(least, most, unit, sign);
        }
        if (least == most) {
            return relative(unit, sign * least);
        }
        LocalDate one = vague(unit, sign * least);
        LocalDate other = vague(unit, sign * most);
        return sign < 0 ? days(other, one.plusDays(1), Unit.PART) : days(one, other.plusDays(1), Unit.PART);
    }

    /** Nobody who says "some months" counts days: thirty make one. */
    private LocalDate vague(Unit unit, int count) {
        return unit == Unit.MONTH ? today.plusDays(30L * count) : plus(today, unit, count);
    }

    private Span clock(int least, int most, Unit unit, int sign) {
        ChronoUnit clock = unit == Unit.HOUR ? ChronoUnit.HOURS : ChronoUnit.MINUTES;
        int slack = least != most ? 0 : unit == Unit.HOUR ? 30 : Math.min(5, least);
        ZonedDateTime one = now.plus((long) sign * least, clock);
        ZonedDateTime other = now.plus((long) sign * most, clock);
        return sign < 0
                ? new Span(other.minusMinutes(slack), one.plusMinutes(slack), Unit.PART)
                : new Span(one.minusMinutes(slack), other.plusMinutes(slack), Unit.PART);
    }

    /** "The last three days": from so many units ago until now; or from now on. */
    Span rolling(int count, Unit unit, int sign) {
        if (unit == Unit.HOUR || unit == Unit.MINUTE) {
            var edge = now.plus((long) sign * count, unit == Unit.HOUR ? ChronoUnit.HOURS : ChronoUnit.MINUTES);
            return sign < 0 ? until(edge) : from(edge);
        }
        LocalDate edge = plus(today, unit, (long) sign * count);
        return sign < 0 ? until(edge.atStartOfDay(zone)) : from(edge.plusDays(1).atStartOfDay(zone));
    }

    private Span until(ZonedDateTime begin) {
        return new Span(begin, now.plusNanos(1_000_000), Unit.PART);
    }

    private Span from(ZonedDateTime end) {
        return new Span(now, end, Unit.PART);
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
                Unit.PART);
    }

    /** "Earlier this week" (0), "later today" (1): what is over of it, or what is left; null where now is not in it. */
    @Nullable
    Span side(Span span, int later) {
        if (now.isBefore(span.from()) || !now.isBefore(span.to())) {
            return null;
        }
        return later == 0 ? until(span.from()) : from(span.to());
    }

    /** What words mean in a sentence that looks there; null where they mean nothing. */
    @Nullable
    Span resolve(Time time, Tense tense) {
        return switch (time) {
            case Span span -> span;
            case Time.Never never -> null;
            case Time.Cycle cycle -> nearest(cycle, tense);
        };
    }

    /**
     * The occurrence that is meant without further words: the latest that has begun, or the first that is not over. A date
     * in a sentence that looks nowhere is the nearest.
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

    /** The day of this place in a month that is this day of the week: the latest, the next or, where it is open, the nearest. */
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

    /** The latest occurrence that begins on this day of the week, the next one where none of the last years did. */
    Time agreeing(Time.Cycle cycle, int weekday) {
        Span span = latest(
                cycle,
                today,
                each -> !each.from().isAfter(now) && each.from().getDayOfWeek().getValue() == weekday);
        span = span != null
                ? span
                : first(cycle, each -> each.from().getDayOfWeek().getValue() == weekday);
        return span == null ? Time.Never.NEVER : span;
    }

    /** The last, this, next or coming one. */
    @Nullable
    Span chosen(Time.Cycle cycle, Choice choice) {
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

    /** The latest occurrence that does not begin after this time. */
    @Nullable
    Span upTo(Time.Cycle cycle, Span span) {
        return latest(cycle, span.from().toLocalDate(), each -> !each.from().isAfter(span.from()));
    }

    /** The first occurrence that does not begin before this time. */
    @Nullable
    Span onward(Time.Cycle cycle, Span span) {
        return first(cycle, span.from().toLocalDate(), each -> !each.from().isBefore(span.from()));
    }

    private @Nullable Span latest(Time.Cycle cycle, Predicate<Span> fits) {
        return latest(cycle, today, fits);
    }

    private @Nullable Span first(Time.Cycle cycle, Predicate<Span> fits) {
        return first(cycle, today, fits);
    }

    private @Nullable Span latest(Time.Cycle cycle, LocalDate near, Predicate<Span> fits) {
        for (int round = 1; round >= -ROUNDS; round--) {
            Span span = cycle.around(cycle.step(near, round), zone);
            if (span != null && fits.test(span)) {
                return span;
            }
        }
        return null;
    }

    private @Nullable Span first(Time.Cycle cycle, LocalDate near, Predicate<Span> fits) {
        for (int round = -1; round <= ROUNDS; round++) {
            Span span = cycle.around(cycle.step(near, round), zone);
            if (span != null && fits.test(span)) {
                return span;
            }
        }
        return null;
    }

    /**
     * A cycle inside of a time: the one occurrence that begins in it, or else what both have in common. Where there are
     * several it says no more than the time; where there is none they contradict each other.
     */
    Time within(Time.Cycle cycle, Span span) {
        int met = 0;
        int begun = 0;
        Time common = Time.Never.NEVER;
        Time one = Time.Never.NEVER;
        LocalDate day = cycle.step(span.from().toLocalDate(), -1);
        LocalDate end = cycle.step(span.to().toLocalDate(), 1);
        for (int round = 0; round < 64 && !day.isAfter(end); round++, day = cycle.step(day, 1)) {
            Span occurrence = cycle.around(day, zone);
            if (occurrence == null) {
                continue;
            }
            if (!occurrence.from().isBefore(span.from()) && occurrence.from().isBefore(span.to())) {
                begun++;
                one = occurrence;
            } else if (occurrence.meets(span)) {
                met++;
                common = occurrence.with(span);
            }
        }
        return begun == 1 ? one : begun > 1 || met > 1 ? span : common;
    }

    /** "Since": from its beginning until now. */
    @Nullable
    Span since(Span span) {
        return span.from().isAfter(now) ? null : until(span.from());
    }

    /** "After": from its end until now, or for some time where it is not over. */
    Span after(Span span) {
        ZonedDateTime end =
                span.to().isBefore(now) ? now.plusNanos(1_000_000) : span.to().plusYears(reach(span));
        return new Span(span.to(), end, Unit.PART);
    }

    /** "Until" and "before": from now on where that is still to come, else from some time before. */
    Span before(Span span, boolean included) {
        ZonedDateTime end = included ? span.to() : span.from();
        return new Span(end.isAfter(now) ? now : span.from().minusYears(reach(span)), end, Unit.PART);
    }

    private static int reach(Span span) {
        return span.unit() == Unit.YEAR || span.unit() == Unit.DECADE ? FAR : NEAR;
    }

    /** Which one of several. The order is that of the values in the tables of words. */
    enum Choice {
        LAST,
        THIS,
        NEXT,
        /** The first that begins after now, where "next" would be in the next week. */
        COMING,
        /** As last, but of units counted from now: "the past week". */
        PAST
    }
}
