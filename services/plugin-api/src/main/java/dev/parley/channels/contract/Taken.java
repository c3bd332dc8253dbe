package dev.parley.channels.contract;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Result of handing a message or command to Parley: whether the channel may acknowledge it. */
public sealed interface Taken {

    /**
     * Stored durably: acknowledge it.
     *
     * @param turn of a message; null for a command, and a text of the bot
     * @param ended whether the same message came before, and its turn has ended
     */
    record Safe(@Nullable UUID turn, boolean ended) implements Taken {
        /** Without a turn. */
        public Safe() {
            this(null, false);
        }
    }

    /**
     * Rejected permanently: acknowledge it, a redelivery is rejected again.
     *
     * @param code machine-readable, such as {@code not_allowed}, {@code project_archived}, {@code invalid_field}
     * @param message for users
     */
    record Refused(String code, String message) implements Taken {}

    /**
     * It is unknown whether it was stored. The channel does not acknowledge it and redelivers it after at least one
     * second.
     *
     * @param why reason, for operators
     * @param overloaded whether too much is in flight here, rather than something away
     */
    record NotSafe(String why, boolean overloaded) implements Taken {
        /** Something is away. */
        public NotSafe(String why) {
            this(why, false);
        }
    }
}
