package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.collection.BoundedMap;
import java.util.Collections;
import java.util.Map;

/**
 * Mapping of chats to Discord channels. The chat id of a private chat is that of its user, {@code @648…}: it is known
 * without a call, and distinct from guild channels, which keep their ids.
 */
final class ChannelIds {
    private static final int MAX_CACHED = 10_000;
    private static final String PRIVATE = "@";

    private final DiscordApi api;
    private final Map<String, String> channels = Collections.synchronizedMap(new BoundedMap<>(MAX_CACHED));

    ChannelIds(DiscordApi api) {
        this.api = api;
    }

    static boolean isPrivate(String chat) {
        return chat.startsWith(PRIVATE);
    }

    /** The private chat with a user. */
    static String privately(String user) {
        return PRIVATE + user;
    }

    /**
     * The chat of an event.
     *
     * @param user the user, where it is private
     */
    String chat(JsonNode event, JsonNode user) {
        String channel = event.path("channel_id").asText();
        if (event.hasNonNull("guild_id")) {
            return channel;
        }
        String chat = privately(user.path("id").asText());
        channels.put(chat, channel);
        return chat;
    }

    /** The channel of a chat. */
    String channel(String chat) throws DiscordException, InterruptedException {
        if (!isPrivate(chat)) {
            return chat;
        }
        String cached = channels.get(chat);
        if (cached == null) {
            // Returns the existing one, if any.
            cached = api.post("/users/@me/channels", DiscordApi.json().put("recipient_id", chat.substring(1)))
                    .path("id")
                    .asText();
            channels.put(chat, cached);
        }
        return cached;
    }
}
