package dev.parley.channels.bots;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A chat that a bot knows.
 *
 * @param writable whether the bot can write there
 * @param sessionChat the id that session keys have, where it is another
 * @param seen the message that was taken in last, where the channel does not know that itself
 */
@MappedEntity(value = "chat_t", schema = "channels")
record Chat(
        UUID hostId,
        String bot,
        @Id String chat,
        boolean writable,
        @Nullable String sessionChat,
        @Nullable String seen) {}
