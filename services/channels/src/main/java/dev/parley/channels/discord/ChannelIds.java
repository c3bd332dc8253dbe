package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.collection.NewestMap;
import java.util.Collections;
import java.util.Map;

/**
 * Chats and the channels that they are. A private chat is called by whoever is in it, {@code @648…}: so it is known without asking, and told from
 * channels of guilds, whose chats are called as they are.
 */
final class ChannelIds {
    private static final int MOST = 10_000;
    private static final String PRIVATE = "@";

    private final DiscordApi api;
    private final Map<String, String> channels = Collections.synchronizedMap(new NewestMap<>(MOST));

    ChannelIds(DiscordApi api) {
        this.api = api;
    }

    static boolean isPrivate(String chat) {
        return chat.startsWith(PRIVATE);
    }

    /** The private chat with somebody. */
    static String privately(String user) {
        return PRIVATE + user;
    }

    /** The chat that something happened in. @param who whose it is where it is private */
    String chat(JsonNode event, JsonNode who) {
        String channel = event.path("channel_id").asText();
        if (event.hasNonNull("guild_id")) {
            return channel;
        }
        String chat = privately(who.path("id").asText());
        channels.put(chat, channel);
        return chat;
    }

    /** The channel of a chat. */
    String channel(String chat) throws DiscordException, InterruptedException {
        if (!isPrivate(chat)) {
            return chat;
        }
        String known = channels.get(chat);
        if (known == null) {
            // Also where there is one already: this is how to ask for it.
            known = api.post("/users/@me/channels", DiscordApi.json().put("recipient_id", chat.substring(1)))
                    .path("id")
                    .asText();
            channels.put(chat, known);
        }
        return known;
    }
}
