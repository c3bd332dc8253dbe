package dev.parley.channels.contract;

import dev.parley.domain.RecordKey;
import java.util.regex.Pattern;
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
    /** What a chat and a topic may be called: printable, and nothing that session keys use themselves. */
    public static final Pattern NAME = Pattern.compile("[!-~&&[^/#:]]{1,128}");

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
