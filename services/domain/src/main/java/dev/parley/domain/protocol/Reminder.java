package dev.parley.domain.protocol;

import dev.parley.domain.protocol.origin.ReplyAddress;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
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
}
