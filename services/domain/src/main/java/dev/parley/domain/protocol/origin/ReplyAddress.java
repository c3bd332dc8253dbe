package dev.parley.domain.protocol.origin;

import org.jspecify.annotations.Nullable;

/**
 * The address for a turn's replies.
 *
 * @param bot name of the bot that delivers them, the key of {@code replies}
 * @param chat the channel's own id of the conversation
 * @param topic the thread within the conversation, or null
 * @param messageRef the channel's reference of the message being answered, or null
 */
public record ReplyAddress(
        String bot,
        String chat,
        @Nullable String topic,
        @Nullable String messageRef) {}
