package dev.parley.channels.contract;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context of a message to be sent.
 *
 * @param id idempotency key of the message, the same on each retry
 * @param turn the turn that the message belongs to
 * @param answers the channel's reference of the message being answered, or null
 * @param grows whether the message opens an answer that is still growing ({@link Growth#MESSAGE})
 */
public record Delivery(String id, UUID turn, @Nullable String answers, boolean grows) {

    /** The context of a message that does not grow. */
    public Delivery(String id, UUID turn, @Nullable String answers) {
        this(id, turn, answers, false);
    }

    /** This context with another idempotency key. */
    public Delivery withId(String other) {
        return new Delivery(other, turn, answers, grows);
    }
}
