package dev.parley.domain.protocol;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Something to deliver to a chat. Its id makes a second delivery known as such.
 *
 * @param turnId the turn that says it; the reply's own id where it answers a command to the channel itself
 * @param files are shown after the words
 * @param choices what the person can choose from
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
        List<Choice> choices) {
    public Reply {
        files = List.copyOf(files);
        choices = List.copyOf(choices);
    }

    /** The id of the reply with which a turn ends in this way. */
    public static UUID lastOf(UUID turnId, Kind kind) {
        return Ids.of("reply", turnId, kind.name());
    }

    /** What kind of text it is. */
    public enum Kind {
        /** The answer. */
        FINAL,
        /** Text that the agent sent in the middle of the turn. */
        MESSAGE,
        /** The turn failed. */
        ERROR,
        /** The turn was cancelled. */
        CANCELLED
    }
}
