package dev.parley.domain.protocol;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reminder whose time has come: what is sent if the person may still have it. Its turn has the id of its time, so that
 * it is sent once.
 *
 * @param due the time that it is for
 * @param begins whether a turn begins with the text; else the text is a message of the assistant
 * @param user the person who asked for it, with whose rights it is sent
 * @param shared whether people other than the user read the conversation
 */
public record DueReminder(
        UUID id,
        Instant due,
        String timeZone,
        boolean begins,
        @Nullable String user,
        boolean shared) {
    /** Delay after which a reminder says that it is late. */
    static final Duration GRACE = Duration.ofMinutes(1);

    private static final String ORIGIN = "reminder ";

    /** The time of a reminder. */
    public static DueReminder of(Reminder reminder, boolean shared) {
        return new DueReminder(
                reminder.id(), reminder.due(), reminder.timeZone(), reminder.begins(), reminder.user(), shared);
    }

    /** A time of a reminder. */
    public record Time(UUID reminder, Instant due) {}

    /** The time that a turn comes from; empty for turns that no reminder begins. */
    public static Optional<Time> timeOf(SubmitTurn command) {
        String reference = command.originRef();
        if (command.origin() != Origin.SCHEDULE || !reference.startsWith(ORIGIN)) {
            return Optional.empty();
        }
        int space = reference.lastIndexOf(' ');
        return Optional.of(new Time(
                Ids.parse(reference.substring(ORIGIN.length(), space)), Instant.parse(reference.substring(space + 1))));
    }

    /** The id of its turn. */
    public UUID turnId(RecordKey session) {
        return session.turnId(Origin.SCHEDULE.code(), reference());
    }

    private String reference() {
        return ORIGIN + id + " " + due;
    }

    /**
     * The command that sends it.
     *
     * @param text of the reminder
     * @param meta with the {@linkplain #turnId id of its turn} and the present time, from which it knows whether it is
     *     late
     */
    public SubmitTurn turn(
            CommandMeta meta, String text, String channel, @Nullable String channelId, @Nullable ReplyAddress to) {
        return new SubmitTurn(
                meta,
                Origin.SCHEDULE,
                reference(),
                MailboxMode.FOLLOWUP,
                null,
                null,
                List.of(Block.text(begins ? task(text, meta.at()) : note(text, meta.at()))),
                channel,
                channelId,
                to,
                null,
                shared,
                null,
                List.of(),
                List.of(),
                !begins,
                false);
    }

    private String task(String text, Instant now) {
        String late = isLate(now) ? "; it is late, which you must tell me" : "";
        return "[A reminder that I asked you for is due, set for " + Reminder.clock(due, timeZone) + late + ".]\n"
                + text;
    }

    private String note(String text, Instant now) {
        return "⏰ " + text + (isLate(now) ? "\n(" + Reminder.clock(due, timeZone) + ")" : "");
    }

    private boolean isLate(Instant now) {
        return now.isAfter(due.plus(GRACE));
    }
}
