package dev.parley.channels.openai.store;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.openai_conversation_t}: a conversation of a client.
 *
 * @param userId who made it, and may use it
 * @param session key of the session that knows all its items; null where none does
 * @param metadata JSON of its metadata
 */
@MappedEntity(value = "openai_conversation_t", schema = "channels")
public record StoredConversation(
        UUID hostId,
        @Id UUID conversationId,
        UUID projectId,
        UUID userId,
        @Nullable String session,
        String metadata,
        @MappedProperty("created_ts") Instant createdAt) {
    public ConversationId id() {
        return new ConversationId(conversationId);
    }
}
