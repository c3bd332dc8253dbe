package dev.parley.channels.bots.delivery;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.sent_message_t}: the message of a piece of a reply.
 *
 * @param message the channel's reference, or null where none is known
 * @param topic the thread in the chat, or null
 * @param turnId the turn of the reply; null in rows before 0.2.0
 * @param recent whether the first attempt was made within the last two minutes, as long as no message is known
 */
@MappedEntity(value = "sent_message_t", schema = "channels")
record SentMessage(
        @Id UUID replyId,
        @Nullable String message,
        @Nullable String topic,
        @Nullable UUID turnId,
        boolean recent) {}
