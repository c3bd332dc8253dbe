package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Migrated;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.chat.Event.Stop;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.telegram.MessageContent.Entity;
import dev.parley.channels.telegram.MessageContent.EntityText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parser of updates. Unknown fields and kinds are ignored: Telegram adds some every month.
 *
 * @param bot name of the bot
 * @param id the bot's own user id
 * @param username the bot's own name, without {@code @}
 * @see <a href="https://core.telegram.org/bots/api#update">its reference</a>
 */
record Updates(String bot, long id, String username) {
    /** The kind of updates that tell reactions to a message. */
    static final String REACTION = "message_reaction";

    private static final String STOP = "stopped_message_generation";

    /** The kinds of updates that Telegram is asked for. */
    static final List<String> WANTED =
            List.of("message", "edited_message", "callback_query", "my_chat_member", REACTION, STOP);

    private static final int QUOTED = 300;
    private static final Set<String> MEMBERS = Set.of("creator", "administrator", "member");

    /** The event of an update; {@link Other} where it cannot be read. */
    Event event(JsonNode update) {
        if (update.has("message")) {
            return message(update.get("message"), false);
        }
        if (update.has("edited_message")) {
            return message(update.get("edited_message"), true);
        }
        if (update.has("callback_query")) {
            return buttonPress(update.get("callback_query"));
        }
        if (update.has("my_chat_member")) {
            return membership(update.get("my_chat_member"));
        }
        if (update.has(STOP)) {
            return stop(update.get(STOP));
        }
        return new Other(kind(update));
    }

    /** The events of an update: one, or one for each reaction that a person added or took back. */
    List<Event> events(JsonNode update) {
        JsonNode change = update.path(REACTION);
        if (!change.path("user").has("id") || change.path("user").path("is_bot").asBoolean()) {
            return List.of(event(update)); // reactions of chats are nobody's
        }
        Set<String> before = reactions(change.path("old_reaction"));
        Set<String> now = reactions(change.path("new_reaction"));
        var events = new ArrayList<Event>();
        before.stream()
                .filter(emoji -> !now.contains(emoji))
                .forEach(emoji -> events.add(reaction(change, emoji, true)));
        now.stream()
                .filter(emoji -> !before.contains(emoji))
                .forEach(emoji -> events.add(reaction(change, emoji, false)));
        return events.isEmpty() ? List.of(event(update)) : events;
    }

    private static Set<String> reactions(JsonNode reactions) {
        var found = new LinkedHashSet<String>();
        for (JsonNode reaction : reactions) {
            String type = reaction.path("type").asText();
            found.add(reaction.path("emoji")
                    .asText(reaction.path("custom_emoji_id").asText(type)));
        }
        return found;
    }

    /** The update does not tell the topic of the message. */
    private Feedback reaction(JsonNode change, String emoji, boolean isRemoved) {
        var chat = new ConversationAddress(bot, change.path("chat").path("id").asText(), null);
        String message = change.path("message_id").asText();
        return Feedback.ofReaction(chat, sender(change.path("user")), message, emoji, isRemoved);
    }

    /** The button of a draft; only the person of the private chat can press it. */
    private Event stop(JsonNode stopped) {
        JsonNode chat = stopped.path("chat");
        if (!chat.path("id").canConvertToLong() || !stopped.path("draft_id").canConvertToLong()) {
            return new Other("unreadable");
        }
        var address = new ConversationAddress(bot, chat.get("id").asText(), null);
        return new Stop(
                address, sender(chat), Drafts.reference(stopped.get("draft_id").asLong()));
    }

    private static String kind(JsonNode update) {
        Iterator<String> names = update.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (!name.equals("update_id")) {
                return name.length() > 40 || !name.matches("\\w+") ? "unknown" : name;
            }
        }
        return "empty";
    }

    private Event message(JsonNode message, boolean edited) {
        JsonNode chat = message.path("chat");
        if (!chat.path("id").canConvertToLong() || !message.path("message_id").canConvertToLong()) {
            return new Other("unreadable");
        }
        if (message.has("migrate_to_chat_id")) {
            return migration(chat.get("id"), message.get("migrate_to_chat_id"));
        }
        if (message.has("migrate_from_chat_id")) {
            return migration(message.get("migrate_from_chat_id"), chat.get("id"));
        }
        if (message.path("is_automatic_forward").asBoolean()
                || message.has("via_bot") && isMe(message.get("via_bot"))) {
            return new Other("echo");
        }
        var attachments = attachments(message);
        EntityText content = MessageContent.of(message);
        if (content.text().isBlank() && attachments.isEmpty()) {
            return new Other("service");
        }
        return chatMessage(message, chat, content, attachments, edited);
    }

    private Migrated migration(JsonNode from, JsonNode to) {
        return new Migrated(bot, from.asText(), to.asText());
    }

    private ChatMessage chatMessage(
            JsonNode message, JsonNode chat, EntityText content, List<Attachment> attachments, boolean edited) {
        boolean privately = chat.path("type").asText().equals("private");
        var read = Addressing.of(this, content);
        boolean replied = isReplyToMe(message);
        boolean anonymous = message.has("sender_chat");
        return new ChatMessage(
                address(message, chat),
                privately,
                anonymous ? chatAsSender(message.get("sender_chat")) : sender(message.path("from")),
                !anonymous && message.path("from").path("is_bot").asBoolean(),
                privately || replied || read.addressed(),
                read.command(),
                read.text(),
                attachments.isEmpty() ? attachmentsOfAnswered(message) : attachments,
                message.has("media_group_id") ? message.get("media_group_id").asText() : null,
                context(message),
                EphemeralMessages.id(message),
                edited,
                message.has("date") ? Instant.ofEpochSecond(message.get("date").asLong()) : null,
                language(message),
                replied ? message.get("reply_to_message").path("message_id").asText() : null);
    }

    private boolean isReplyToMe(JsonNode message) {
        JsonNode answered = message.path("reply_to_message");
        return isMe(answered.path("from")) && !answered.has("forum_topic_created");
    }

    private ConversationAddress address(JsonNode message, JsonNode chat) {
        // Outside of forums a thread is only the root of some replies.
        boolean topic = message.path("is_topic_message").asBoolean() && message.has("message_thread_id");
        return new ConversationAddress(
                bot,
                chat.get("id").asText(),
                topic ? message.get("message_thread_id").asText() : null);
    }

    private boolean isMe(JsonNode user) {
        return user.path("id").asLong() == id;
    }

    private static Sender sender(JsonNode user) {
        String name = MessageContent.name(user);
        return new Sender(
                user.path("id").asText(), name.isEmpty() ? user.path("username").asText("somebody") : name);
    }

    private static Sender chatAsSender(JsonNode chat) {
        return new Sender(chat.path("id").asText(), chat.path("title").asText("somebody"));
    }

    private Event buttonPress(JsonNode query) {
        JsonNode message = query.path("message");
        if (!message.has("chat") || !query.has("data")) {
            return new Other("callback_query");
        }
        return new ButtonPress(
                address(message, message.get("chat")),
                sender(query.path("from")),
                query.path("id").asText(),
                query.get("data").asText(),
                message.path("message_id").asText(),
                language(query));
    }

    private static @Nullable String language(JsonNode from) {
        return from.path("from").path("language_code").asText(null);
    }

    private Event membership(JsonNode change) {
        JsonNode now = change.path("new_chat_member");
        String status = now.path("status").asText();
        boolean restricted = status.equals("restricted")
                && now.path("is_member").asBoolean()
                && now.path("can_send_messages").asBoolean();
        String chat = change.path("chat").path("id").asText();
        return new Membership(new ConversationAddress(bot, chat, null), restricted || MEMBERS.contains(status));
    }

    /** The files of the message that this one replies to: a question about them is often without any. */
    private List<Attachment> attachmentsOfAnswered(JsonNode message) {
        JsonNode answered = message.path("reply_to_message");
        return isMe(answered.path("from")) || answered.has("forum_topic_created") ? List.of() : attachments(answered);
    }

    private static List<Attachment> attachments(JsonNode message) {
        var found = new ArrayList<Attachment>();
        JsonNode photo = message.path("photo");
        if (!photo.isEmpty()) {
            found.add(attachment(photo.get(photo.size() - 1), "photo.jpg", "image/jpeg"));
        }
        add(found, message, "voice", "voice.ogg", "audio/ogg");
        add(found, message, "audio", "audio", "audio/mpeg");
        add(found, message, "video_note", "video.mp4", "video/mp4");
        add(found, message, "video", "video.mp4", "video/mp4");
        // An animation is repeated as a document.
        if (message.has("animation")) {
            add(found, message, "animation", "animation.mp4", "video/mp4");
        } else {
            add(found, message, "document", "document", "application/octet-stream");
        }
        return found;
    }

    private static void add(List<Attachment> found, JsonNode message, String field, String name, String type) {
        if (message.has(field)) {
            found.add(attachment(message.get(field), name, type));
        }
    }

    private static Attachment attachment(JsonNode file, String name, String type) {
        return Attachment.of(
                file.path("file_id").asText(),
                file.path("file_name").asText(name),
                file.path("mime_type").asText(type),
                type,
                file.path("file_size").asLong(-1));
    }

    /** The context of a message: the origin of a forward, and the message that it replies to. */
    private @Nullable String context(JsonNode message) {
        var lines = new ArrayList<String>();
        JsonNode origin = message.path("forward_origin");
        if (!origin.isMissingNode()) {
            lines.add("[forwarded from " + origin(origin) + "]");
        }
        JsonNode answered = message.path("reply_to_message");
        String quote = message.path("quote").path("text").asText("");
        if (!answered.isMissingNode() && !answered.has("forum_topic_created")) {
            String author = isMe(answered.path("from"))
                    ? "you"
                    : sender(answered.path("from")).name();
            lines.add(reply(author, quote.isBlank() ? MessageContent.summary(answered) : quote));
        } else if (message.has("external_reply")) {
            JsonNode other = message.get("external_reply");
            String author = origin(other.path("origin"));
            lines.add(reply(author, quote.isBlank() ? MessageContent.summary(other) : quote));
        } else if (message.has("reply_to_story")) {
            JsonNode chat = message.get("reply_to_story").path("chat");
            lines.add("[in reply to a story of " + chat.path("title").asText("somebody") + "]");
        }
        return lines.isEmpty() ? null : String.join("\n", lines);
    }

    private static String reply(String author, String quote) {
        return quote.isBlank()
                ? "[in reply to a message of " + author + "]"
                : "[in reply to %s: \"%s\"]".formatted(author, ClippedText.of(quote, QUOTED));
    }

    private static String origin(JsonNode origin) {
        return switch (origin.path("type").asText()) {
            case "user" -> sender(origin.path("sender_user")).name();
            case "hidden_user" -> origin.path("sender_user_name").asText("somebody");
            case "chat" -> origin.path("sender_chat").path("title").asText("a chat");
            case "channel" -> origin.path("chat").path("title").asText("a channel");
            default -> "somebody";
        };
    }

    /** A text without the leading mention or command, whether it is addressed to the bot, and the command. */
    private record Addressing(
            String text, boolean addressed, @Nullable String command) {
        /** Applies the entities of a text to it. */
        static Addressing of(Updates identity, EntityText content) {
            var read = new Addressing(content.text(), false, null);
            for (Entity entity : content.entities()) {
                String text = content.text();
                String words = text.substring(entity.from(), entity.to());
                read = read.with(identity, entity, words, entity.from() == 0, text.substring(entity.to()));
            }
            return read;
        }

        /** @param first whether the entity starts the text; then {@code after} remains of it */
        private Addressing with(Updates identity, Entity entity, String entityText, boolean first, String after) {
            return switch (entity.type()) {
                case "mention" ->
                    entityText.equalsIgnoreCase("@" + identity.username())
                            ? new Addressing(first ? after.strip() : text, true, command)
                            : this;
                case "text_mention" ->
                    new Addressing(
                            text, addressed || identity.isMe(entity.node().path("user")), command);
                case "bot_command" -> {
                    String[] parts = entityText.substring(1).split("@", 2);
                    boolean hasName = parts.length > 1;
                    if (hasName && !parts[1].equalsIgnoreCase(identity.username())) {
                        yield this; // another bot's
                    }
                    yield first
                            ? new Addressing(after.strip(), addressed || hasName, parts[0].toLowerCase(Locale.ROOT))
                            : new Addressing(text, addressed || hasName, command);
                }
                default -> this;
            };
        }
    }
}
