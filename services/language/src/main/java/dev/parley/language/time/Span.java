package dev.parley.language.time;

import java.time.ZonedDateTime;

/**
 * A span of the calendar.
 *
 * @param from start
 * @param to end, exclusive
 * @param unit its size
 */
record Span(ZonedDateTime from, ZonedDateTime to, CalendarUnit unit) implements Time {
    boolean holds(Span other) {
        return !other.from.isBefore(from) && !other.to.isAfter(to);
    }

    boolean meets(Span other) {
        return from.isBefore(other.to) && other.from.isBefore(to);
    }

    /** The intersection; only valid if the spans overlap. */
    Span with(Span other) {
        if (holds(other)) {
            return other;
        }
        return other.holds(this)
                ? this
                : new Span(
                        from.isAfter(other.from) ? from : other.from,
                        to.isBefore(other.to) ? to : other.to,
                        CalendarUnit.PART);
    }

    TimeSpan toTimeSpan() {
        var last = to.toInstant().minusMillis(1);
        return new TimeSpan(from.toInstant(), last.isBefore(from.toInstant()) ? from.toInstant() : last);
    }
}
