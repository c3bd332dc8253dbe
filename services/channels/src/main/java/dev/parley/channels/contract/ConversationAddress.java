package dev.parley.channels.contract;

import dev.parley.domain.RecordKey;
import org.jspecify.annotations.Nullable;

/**
 * Where people talk: one conversation of one bot.
 *
 * @param bot the channel instance, whose name begins the session key
 * @param chat the channel's own name for the conversation
 * @param topic the thread inside it, or null
 */
public record ConversationAddress(
        String bot, String chat, @Nullable String topic) {

    /**
     * The session of this place.
     *
     * @param project the bot's
     * @throws IllegalArgumentException when a name has characters that keys may not have
     */
    public RecordKey key(String project) {
        return new RecordKey(project, bot + ":" + channelId());
    }

    /** The channel's own name for it, with the thread. */
    public String channelId() {
        return topic == null ? chat : chat + ":" + topic;
    }
}
