package dev.parley.language.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/** The parts of a span: thirds, halves, weeks and days; null if it has none. */
final class SpanParts {
    /** Ordinal of the last one. */
    private static final int LAST = 9;

    private SpanParts() {}

    /** The early (0), middle (1) or late (2) part. */
    static @Nullable Span third(Span span, int third) {
        LocalDate from = first(span);
        LocalDate to = end(span);
        LocalDate[] edges = switch (span.unit()) {
            case WEEK -> new LocalDate[] {from, from.plusDays(2), from.plusDays(4), to};
            case MONTH -> new LocalDate[] {from, from.plusDays(10), from.plusDays(20), to};
            case QUARTER, SEASON -> new LocalDate[] {from, from.plusMonths(1), from.plusMonths(2), to};
            case YEAR -> new LocalDate[] {from, from.plusMonths(4), from.plusMonths(8), to};
            case DECADE -> new LocalDate[] {from, from.plusYears(4), from.plusYears(7), to};
            case MINUTE, HOUR, DAY, WEEKEND, PART -> new LocalDate[0];
        };
        return edges.length == 0 ? null : days(span, edges[third], edges[third + 1], CalendarUnit.PART);
    }

    /** The first or second half. */
    static @Nullable Span half(Span span, int ordinal) {
        LocalDate from = first(span);
        LocalDate middle = switch (span.unit()) {
            case MONTH -> from.plusDays(15);
            case YEAR -> from.plusMonths(6);
            case DECADE -> from.plusYears(5);
            case MINUTE, HOUR, DAY, WEEK, WEEKEND, QUARTER, SEASON, PART -> null;
        };
        if (middle == null || ordinal > 2 && ordinal != LAST) {
            return null;
        }
        return ordinal == 1
                ? days(span, from, middle, CalendarUnit.PART)
                : days(span, middle, end(span), CalendarUnit.PART);
    }

    /** The first, second or last week, month, quarter, day or weekend; weeks are counted from the first day. */
    static @Nullable Span nth(Span span, CalendarUnit unit, int ordinal) {
        if (unit == CalendarUnit.WEEKEND) {
            Span saturday = nthWeekday(span, 6, ordinal);
            return saturday == null
                    ? null
                    : days(span, first(saturday), first(saturday).plusDays(2), unit);
        }
        if (unit == CalendarUnit.MINUTE
                || unit == CalendarUnit.HOUR
                || unit == CalendarUnit.DECADE
                || span.unit() == unit) {
            return null;
        }
        LocalDate from =
                ordinal == LAST ? Calendar.plus(end(span), unit, -1) : Calendar.plus(first(span), unit, ordinal - 1L);
        LocalDate to = Calendar.plus(from, unit, 1);
        return from.isBefore(first(span)) || to.isAfter(end(span)) ? null : days(span, from, to, unit);
    }

    /** The first, second or last Monday of a month. */
    static @Nullable Span nthWeekday(Span span, int weekday, int ordinal) {
        LocalDate day = first(span)
                .with(TemporalAdjusters.dayOfWeekInMonth(ordinal == LAST ? -1 : ordinal, DayOfWeek.of(weekday)));
        boolean inside =
                span.unit() == CalendarUnit.MONTH && YearMonth.from(day).equals(YearMonth.from(first(span)));
        return inside ? days(span, day, day.plusDays(1), CalendarUnit.DAY) : null;
    }

    private static LocalDate first(Span span) {
        return span.from().toLocalDate();
    }

    private static LocalDate end(Span span) {
        return span.to().toLocalDate();
    }

    private static Span days(Span span, LocalDate from, LocalDate to, CalendarUnit unit) {
        return Calendar.days(from, to, unit, span.from().getZone());
    }
}
