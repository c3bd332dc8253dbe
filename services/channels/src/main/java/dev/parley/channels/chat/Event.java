package dev.parley.channels.chat;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What happens in chats with a bot. */
public sealed interface Event {

    /**
     * Somebody wrote, spoke or sent something.
     *
     * @param privately in a chat with the bot alone
     * @param author who it counts for: who speaks in the name of a chat counts as the chat
     * @param bot the author is a bot, or speaks for a channel
     * @param addressed it is meant for this bot: by mention, as a reply to it, or in private
     * @param command what stands after the slash, lower case, or null
     * @param text without the command and the mention of the bot
     * @param album what is sent together has the same one, or null
     * @param context what it refers to, in words, or null
     * @param message the platform's reference of it
     * @param edited it was said before and is other now
     * @param at when it was said, by the platform's clock, or null
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
            String message,
            boolean edited,
            @Nullable Instant at,
            @Nullable String language,
            @Nullable String answered)
            implements Event {
        public Said {
            attachments = List.copyOf(attachments);
        }

        /** The same, said by somebody of whom more is known. */
        public Said by(Sender known) {
            return by(known, language);
        }

        /** The same, said by somebody of whom more is known, and in which language to talk to them. */
        public Said by(Sender known, @Nullable String tag) {
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
                    message,
                    edited,
                    at,
                    tag,
                    answered);
        }
    }

    /**
     * A file that the platform keeps.
     *
     * @param size bytes, or -1 where the platform does not say
     */
    record Attachment(String fileId, String name, String mimeType, long size) {
        private static final int MAX_NAME = 255;
        private static final Pattern TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");

        /**
         * An attachment whose name is safe as a file name and at most 255 characters.
         *
         * @param fallback the MIME type where the platform gives none, or a malformed one
         */
        public static Attachment of(String fileId, String name, String mimeType, String fallback, long size) {
            String safe = name.replaceAll("[\\p{Cntrl}/\\\\]", "_");
            return new Attachment(
                    fileId,
                    safe.substring(Math.max(0, safe.length() - MAX_NAME)),
                    TYPE.matcher(mimeType).matches() ? mimeType : fallback,
                    size);
        }
    }

    /**
     * Somebody pressed a button below a message of the bot.
     *
     * @param query the platform's name for the press, by which it is answered
     * @param data what the button carries, see {@link Buttons}
     * @param message the platform's reference of the message that has the button
     */
    record Pressed(
            ConversationAddress address,
            Sender author,
            String query,
            String data,
            String message,
            @Nullable String language)
            implements Event {}

    /** The bot was let in, or thrown out, or blocked. */
    record Membership(ConversationAddress address, boolean canWrite) implements Event {}

    /** A group has become a supergroup, with another id. */
    record Migrated(String bot, String from, String to) implements Event {}

    /** Something that is none of a bot's business; {@code kind} is for the count. */
    record Other(String kind) implements Event {}
}
