package dev.parley.language.time;

import java.time.ZonedDateTime;

/**
 * A time on the calendar.
 *
 * @param from its beginning
 * @param to its end, which does not belong to it
 * @param unit what it is one of
 */
record Span(ZonedDateTime from, ZonedDateTime to, Unit unit) implements Time {
    boolean holds(Span other) {
        return !other.from.isBefore(from) && !other.to.isAfter(to);
    }

    boolean meets(Span other) {
        return from.isBefore(other.to) && other.from.isBefore(to);
    }

    /** What belongs to both; they have to meet. */
    Span with(Span other) {
        if (holds(other)) {
            return other;
        }
        return other.holds(this)
                ? this
                : new Span(
                        from.isAfter(other.from) ? from : other.from, to.isBefore(other.to) ? to : other.to, Unit.PART);
    }

    TimeSpan closed() {
        var last = to.toInstant().minusMillis(1);
        return new TimeSpan(from.toInstant(), last.isBefore(from.toInstant()) ? from.toInstant() : last);
    }
}
