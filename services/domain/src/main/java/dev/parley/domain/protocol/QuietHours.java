package dev.parley.domain.protocol;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hours of each day in which a person's reminders wait.
 *
 * @param user whose; null if the channel does not know them
 * @param from time on the clock, {@code HH:mm}
 * @param to time on the clock, before {@code from} for hours over midnight
 */
public record QuietHours(
        @Nullable String user, String from, String to, String timeZone) {
    /** @throws IllegalArgumentException if they are no hours, or the zone is unknown; the message is for people */
    public QuietHours {
        try {
            if (LocalTime.parse(from).equals(LocalTime.parse(to))) {
                throw new IllegalArgumentException("quiet hours begin and end at different times");
            }
            ZoneId.of(timeZone);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "quiet hours are two times such as 22:00 and 07:00, and a zone such as Europe/Berlin", e);
        }
    }

    /** When the hours end that this time falls into; empty if it falls into none. */
    public Optional<Instant> endAt(Instant time) {
        ZonedDateTime clock = time.atZone(ZoneId.of(timeZone));
        LocalTime begin = LocalTime.parse(from);
        LocalTime end = LocalTime.parse(to);
        boolean overMidnight = end.isBefore(begin);
        boolean begun = !clock.toLocalTime().isBefore(begin);
        boolean ended = !clock.toLocalTime().isBefore(end);
        if (overMidnight ? !begun && ended : !begun || ended) {
            return Optional.empty();
        }
        var day = overMidnight && begun ? clock.toLocalDate().plusDays(1) : clock.toLocalDate();
        Instant over = day.atTime(end).atZone(clock.getZone()).toInstant();
        return Optional.of(over).filter(moment -> moment.isAfter(time)); // not where the clock goes back over the end
    }

    @Override
    public String toString() {
        return from + "-" + to + " " + timeZone;
    }
}
