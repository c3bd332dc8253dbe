package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.UUID;

/** Something to deliver to a chat. Its id makes a second delivery known as such. */
public record Reply(
        UUID replyId, UUID host, RecordKey key, UUID turnId, ReplyAddress to, Kind kind, String text, Instant at) {

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
