package dev.parley.channels.contract;

import dev.parley.domain.RecordKey;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of a conversation of a bot.
 *
 * @param bot name of the bot, the prefix of the session key
 * @param chat the channel's own id of the conversation
 * @param topic the thread within the conversation, or null
 */
public record ConversationAddress(
        String bot, String chat, @Nullable String topic) {
    /** Valid chat and topic: printable ASCII without the separators of session keys. */
    public static final Pattern NAME = Pattern.compile("[!-~&&[^/#:]]{1,128}");

    /**
     * The key of this conversation's session.
     *
     * @param project the bot's project
     * @throws IllegalArgumentException if a part contains characters that keys do not allow
     */
    public RecordKey key(String project) {
        return new RecordKey(project, bot + ":" + channelId());
    }

    /** The channel's own id of the conversation, including the thread. */
    public String channelId() {
        return topic == null ? chat : chat + ":" + topic;
    }
}
