package dev.parley.domain.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Where a turn's reply is to be delivered.
 *
 * @param bot the channel instance whose sender delivers it: the key of {@code replies}
 * @param chat the channel's own name for the conversation
 * @param topic the thread inside it, or null
 * @param messageRef the channel's reference of the message that is answered, or null
 */
public record ReplyAddress(
        String bot,
        String chat,
        @Nullable String topic,
        @Nullable String messageRef) {}
