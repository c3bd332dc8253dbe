package dev.parley.channels.bots.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.chat_t}: a chat that a bot knows.
 *
 * @param writable whether the bot can write there
 * @param sessionChat the chat id in session keys, where it differs
 * @param seen the last message received, for channels that do not redeliver
 * @param note what the channel has to know of the chat besides its id
 */
@MappedEntity(value = "chat_t", schema = "channels")
record Chat(
        UUID hostId,
        String bot,
        @Id String chat,
        boolean writable,
        @Nullable String sessionChat,
        @Nullable String seen,
        @Nullable String note) {}
