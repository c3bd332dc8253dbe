package dev.parley.domain.protocol;

import dev.parley.domain.protocol.origin.ReplyAddress;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reminder that an agent set for a person in a session.
 *
 * @param text what is sent; or what the agent is told, if a turn begins with it
 * @param begins whether a turn begins with the text
 * @param user the person who asked for it, with whose rights it is sent; null if the channel does not know them
 * @param due the next time that it is for
 * @param wakeAt when it is sent: {@code due}, or the end of the quiet hours that it fell into
 * @param cron the times of one that repeats, or null
 * @param timeZone zone of {@code cron}, in which its times are shown
 * @param to the chat that it is for, or null for a session of no chat
 */
@RecordBuilder
public record Reminder(
        UUID id,
        String text,
        boolean begins,
        @Nullable String user,
        Instant due,
        Instant wakeAt,
        @Nullable String cron,
        String timeZone,
        @Nullable ReplyAddress to,
        Instant setAt)
        implements ReminderBuilder.With {
    /** Maximum reminders of one person in a session. */
    public static final int MAX_OF_PERSON = 20;

    /** Maximum reminders of a session. */
    public static final int MAX_OF_SESSION = 100;

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

    /** Changes of reminders. */
    public enum Change {
        SET,
        /** It fell into quiet hours, and is sent at their end. */
        PUT_OFF,
        /** A time of it has come. */
        DUE,
        CANCELLED,
        /** It was due and is not sent, for a reason. */
        REFUSED
    }

    /** This reminder for another time. */
    public Reminder at(Instant time) {
        return with().due(time).wakeAt(time).build();
    }

    /** When it is due, on the clock of its zone. */
    public String when() {
        return clock(due, timeZone);
    }

    static String clock(Instant time, String timeZone) {
        return CLOCK.format(time.atZone(ZoneId.of(timeZone))) + " " + timeZone;
    }

    /**
     * Hours of each day in which a person's reminders wait.
     *
     * @param user whose; null if the channel does not know them
     * @param from time on the clock, {@code HH:mm}
     * @param to time on the clock, before {@code from} for hours over midnight
     */
    public record QuietHours(@Nullable String user, String from, String to, String timeZone) {
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
            return Optional.of(over)
                    .filter(moment -> moment.isAfter(time)); // not where the clock goes back over the end
        }

        @Override
        public String toString() {
            return from + "-" + to + " " + timeZone;
        }
    }
}
