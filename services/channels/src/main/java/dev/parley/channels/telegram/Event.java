package dev.parley.channels.telegram;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an update says. */
sealed interface Event {

    /**
     * Somebody wrote, spoke or sent something.
     *
     * @param privately in a chat with the bot alone
     * @param author who it counts for: a group's anonymous administrator counts as the group
     * @param bot the author is a bot, or speaks for a channel
     * @param addressed it is meant for this bot: by mention, as a reply to it, or in private
     * @param command what stands after the slash, lower case, or null
     * @param text without the command and the mention of the bot
     * @param album what is sent together has the same one, or null
     * @param context what it refers to, in words, or null
     * @param edited it was said before and is other now
     * @param at when it was said, by Telegram's clock, or null
     * @param language of the author's app, or null
     * @param answered the message of this bot that it answers, or null
     */
    record Said(
            ConversationAddress address,
            boolean privately,
            Sender author,
            boolean bot,
            boolean addressed,
            @Nullable String command,
            String text,
            List<Attachment> attachments,
            @Nullable String album,
            @Nullable String context,
            long messageId,
            boolean edited,
            @Nullable Instant at,
            @Nullable String language,
            @Nullable String answered)
            implements Event {
        public Said {
            attachments = List.copyOf(attachments);
        }

        /** The same, said by somebody of whom more is known. */
        Said by(Sender known) {
            return new Said(
                    address,
                    privately,
                    known,
                    bot,
                    addressed,
                    command,
                    text,
                    attachments,
                    album,
                    context,
                    messageId,
                    edited,
                    at,
                    language,
                    answered);
        }
    }

    /**
     * A file that Telegram keeps.
     *
     * @param size bytes, or -1 where Telegram does not say
     */
    record Attachment(String fileId, String name, String mimeType, long size) {}

    /** Somebody pressed a button below a message of the bot. */
    record Pressed(
            ConversationAddress address,
            Sender author,
            String queryId,
            String data,
            long messageId,
            @Nullable String language)
            implements Event {}

    /** The bot was let in, or thrown out, or blocked. */
    record Membership(ConversationAddress address, boolean canWrite) implements Event {}

    /** A group has become a supergroup, with another id. */
    record Migrated(String bot, String from, String to) implements Event {}

    /** Something that is none of a bot's business; {@code kind} is for the count. */
    record Other(String kind) implements Event {}
}
