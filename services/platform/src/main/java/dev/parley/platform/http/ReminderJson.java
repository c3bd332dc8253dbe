package dev.parley.platform.http;

import dev.parley.domain.protocol.Reminder;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** JSON representation of a reminder. */
@Serdeable
@Schema(name = "Reminder", description = "A reminder.")
public record ReminderJson(
        @Schema(description = "Id of the reminder.") UUID id,

        @Schema(description = "Text that is sent, or the task of the turn that begins.")
        String text,

        @Schema(description = "Whether a turn begins with the text; otherwise the text is sent.")
        boolean begins,

        @Schema(description = "The person who asked for it.") @Nullable
        String user,

        @Schema(description = "The next time that it is for.")
        Instant due,

        @Schema(description = "The times of one that repeats.") @Nullable
        String cron,

        @Schema(description = "The zone of the times.") String timeZone) {
    /** The JSON of a reminder. */
    public static ReminderJson of(Reminder reminder) {
        return new ReminderJson(
                reminder.id(),
                reminder.text(),
                reminder.begins(),
                reminder.user(),
                reminder.due(),
                reminder.cron(),
                reminder.timeZone());
    }
}
