package dev.parley.channels.contract;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context of a message to be sent.
 *
 * @param id idempotency key of the message, the same on each retry
 * @param turn the turn that the message belongs to
 * @param answers the channel's reference of the message being answered, or null
 */
public record Delivery(String id, UUID turn, @Nullable String answers) {}
