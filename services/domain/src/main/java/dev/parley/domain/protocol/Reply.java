package dev.parley.domain.protocol;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to deliver to a chat. The id is its idempotency key.
 *
 * @param turnId the turn that sends it; the reply's own id if no turn does, as for answers to a channel's commands
 * @param files shown after the text
 * @param choices offered to the user
 * @param reminder a reminder that is due, which its bot sends if the person may still have it; null for what is to be
 *     delivered as it is
 */
public record Reply(
        UUID replyId,
        UUID host,
        RecordKey key,
        UUID turnId,
        ReplyAddress to,
        Kind kind,
        String text,
        Instant at,
        List<Block.File> files,
        List<Choice> choices,
        @Nullable DueReminder reminder) {
    public Reply {
        files = List.copyOf(files);
        choices = List.copyOf(choices);
    }

    /** A message to deliver as it is. */
    public Reply(
            UUID replyId,
            UUID host,
            RecordKey key,
            UUID turnId,
            ReplyAddress to,
            Kind kind,
            String text,
            Instant at,
            List<Block.File> files,
            List<Choice> choices) {
        this(replyId, host, key, turnId, to, kind, text, at, files, choices, null);
    }

    /** The id of the last reply of a turn that ends in this way. */
    public static UUID lastOf(UUID turnId, Kind kind) {
        return Ids.of("reply", turnId, kind.name());
    }

    public enum Kind {
        /** The final answer. */
        FINAL,
        /** A text sent during the turn. */
        MESSAGE,
        /** The turn failed. */
        ERROR,
        /** The turn was cancelled. */
        CANCELLED
    }
}
