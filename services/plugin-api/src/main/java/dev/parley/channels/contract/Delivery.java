package dev.parley.channels.contract;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a message is sent for.
 *
 * @param id names the message, the same whenever it is sent again
 * @param turn the turn that it belongs to
 * @param answers the channel's reference of the message that it answers, or null
 */
public record Delivery(String id, UUID turn, @Nullable String answers) {}
