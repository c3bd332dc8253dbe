package dev.parley.channels.chat;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.Names;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An event of a chat with a bot. */
public sealed interface Event {
    /** The text of a message of which nothing can be read: it is never dropped without a word. */
    String UNREADABLE = "[a message whose content cannot be read here]";

    /**
     * A message, or its edit.
     *
     * @param privately in a private chat with the bot
     * @param author the sender; a chat where it was sent in the name of a chat
     * @param bot whether the sender is a bot or a channel
     * @param addressed whether it is addressed to this bot: by mention, as a reply to it, or in private
     * @param command without the slash, lower case, or null
     * @param text without the command and the mention of the bot
     * @param album id shared by messages that were sent together, or null
     * @param context its origin or the message that it replies to, as text, or null
     * @param id the platform's reference of it
     * @param edited whether it is an edit
     * @param sentAt time of sending, by the platform's clock, or null
     * @param language of the sender's app, or null
     * @param repliesTo the message of this bot that it replies to, or null
     */
    record ChatMessage(
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
            String id,
            boolean edited,
            @Nullable Instant sentAt,
            @Nullable String language,
            @Nullable String repliesTo)
            implements Event {
        public ChatMessage {
            attachments = List.copyOf(attachments);
        }

        /** A copy that is addressed to this bot. */
        public ChatMessage asAddressed() {
            return new ChatMessage(
                    address,
                    privately,
                    author,
                    bot,
                    true,
                    command,
                    text,
                    attachments,
                    album,
                    context,
                    id,
                    edited,
                    sentAt,
                    language,
                    repliesTo);
        }

        /** A copy with the linked sender. */
        public ChatMessage withAuthor(Sender author) {
            return withAuthor(author, language);
        }

        /** A copy with more about the sender, and their language. */
        public ChatMessage withAuthor(Sender author, @Nullable String tag) {
            return new ChatMessage(
                    address,
                    privately,
                    author,
                    bot,
                    addressed,
                    command,
                    text,
                    attachments,
                    album,
                    context,
                    id,
                    edited,
                    sentAt,
                    tag,
                    repliesTo);
        }
    }

    /**
     * A file that the platform stores.
     *
     * @param size in bytes, or -1 where the platform does not report it
     */
    record Attachment(String fileId, String name, String mimeType, long size) {
        private static final Pattern TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");

        /**
         * An attachment whose name is safe as a file name and at most 255 characters.
         *
         * @param fallback the MIME type where the platform gives none, or a malformed one
         */
        public static Attachment of(String fileId, String name, String mimeType, String fallback, long size) {
            return new Attachment(
                    fileId, Names.ofFile(name), TYPE.matcher(mimeType).matches() ? mimeType : fallback, size);
        }
    }

    /**
     * A press on a button of a message of the bot.
     *
     * @param query the platform's id of the press, by which it is acknowledged
     * @param data of the button, see {@link Buttons}
     * @param message the platform's reference of the message with the button
     */
    record ButtonPress(
            ConversationAddress address,
            Sender author,
            String query,
            String data,
            String message,
            @Nullable String language)
            implements Event {
        /** A copy with more about the sender, and their language. */
        public ButtonPress withAuthor(Sender author, @Nullable String tag) {
            return new ButtonPress(address, author, query, data, message, tag);
        }
    }

    /** The bot was added, removed or blocked. */
    record Membership(ConversationAddress address, boolean canWrite) implements Event {}

    /**
     * A chat has another id, and keeps its sessions.
     *
     * @param person whether the ids are also those of the person in this private chat, who keeps admission and account
     */
    record Migrated(String bot, String from, String to, boolean person) implements Event {
        /** A group became a supergroup with another id. */
        public Migrated(String bot, String from, String to) {
            this(bot, from, to, false);
        }
    }

    /** An irrelevant event; {@code kind} is for the metric. */
    record Other(String kind) implements Event {}
}
