package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.FormAnswer;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of Discord's events. Unknown fields are ignored.
 *
 * @param bot name of the bot
 * @param id the bot's own user id
 * @see <a href="https://docs.discord.com/developers/resources/message#message-object">messages</a>
 */
record DiscordEvents(String bot, String id) {
    private static final int QUOTED = 300;
    /** Types of messages that users write: a message, or a reply. */
    private static final List<Integer> WRITTEN = List.of(0, 19);

    private static final Pattern WORD = Pattern.compile("/([A-Za-z][\\w-]{0,31})(?:\\s+|$)");
    private static final Pattern EMOJI = Pattern.compile("<a?(:\\w{1,64}:)\\d{1,20}>");

    /**
     * A message.
     *
     * @param chat its chat, see {@link ChannelIds}
     * @param edited whether it is an edit
     */
    Event message(JsonNode message, String chat, boolean edited) {
        JsonNode author = message.path("author");
        if (!isId(message.path("id")) || !isId(author.path("id"))) {
            return new Other("unreadable");
        }
        if (author.path("id").asText().equals(id)) {
            return new Other("echo");
        }
        if (!WRITTEN.contains(message.path("type").asInt())) {
            return new Other("service");
        }
        List<Attachment> attachments = DiscordContent.attachments(message);
        String content = DiscordContent.text(message);
        boolean hasContent = !content.isBlank() || !attachments.isEmpty() || DiscordContent.forwarded(message) != null;
        if (!hasContent && !ChannelIds.isPrivate(chat)) {
            return new Other("empty"); // of a guild whose texts the bot does not read
        }
        return chatMessage(message, chat, hasContent ? content : Event.UNREADABLE, attachments, edited);
    }

    private ChatMessage chatMessage(
            JsonNode message, String chat, String content, List<Attachment> attachments, boolean edited) {
        boolean privately = ChannelIds.isPrivate(chat);
        JsonNode answered = message.path("referenced_message");
        boolean replied = isMe(answered.path("author"));
        var read = ParsedText.of(withoutMention(content));
        return new ChatMessage(
                new ConversationAddress(bot, chat, null),
                privately,
                sender(message.path("author"), message.path("member")),
                isAutomated(message),
                privately || mentions(content) || replied,
                read.command(),
                readable(read.text(), message.path("mentions")),
                attachments.isEmpty() && !isMe(answered.path("author"))
                        ? DiscordContent.attachments(answered)
                        : attachments,
                null,
                context(message, answered),
                message.path("id").asText(),
                edited,
                at(message.path("timestamp")),
                null,
                replied ? answered.path("id").asText() : null);
    }

    private static boolean isAutomated(JsonNode message) {
        JsonNode author = message.path("author");
        return author.path("bot").asBoolean() || author.path("system").asBoolean() || message.has("webhook_id");
    }

    /** A text without the leading command, and the command. */
    private record ParsedText(@Nullable String command, String text) {
        static ParsedText of(String content) {
            var command = WORD.matcher(content);
            return command.lookingAt()
                    ? new ParsedText(
                            command.group(1).toLowerCase(Locale.ROOT),
                            content.substring(command.end()).strip())
                    : new ParsedText(null, content);
        }
    }

    /** A reaction to a message, or the removal of one; those of bots have no effect. */
    Event reaction(JsonNode reaction, String chat, boolean isRemoved) {
        JsonNode member = reaction.path("member");
        JsonNode emoji = reaction.path("emoji");
        if (!isId(reaction.path("message_id")) || !emoji.path("name").isTextual()) {
            return new Other("unreadable");
        }
        if (member.path("user").path("bot").asBoolean()) {
            return new Other("echo");
        }
        String name = emoji.get("name").asText();
        return Feedback.ofReaction(
                new ConversationAddress(bot, chat, null),
                new Sender(
                        reaction.path("user_id").asText(),
                        first(member.path("nick"), member.path("user").path("username"))),
                reaction.get("message_id").asText(),
                emoji.hasNonNull("id") ? name + ":" + emoji.get("id").asText() : name,
                isRemoved);
    }

    /** A command of the menu, a press, or a form. */
    Event interaction(JsonNode interaction, String chat) {
        JsonNode user = user(interaction);
        if (!isId(interaction.path("id")) || !isId(user.path("id"))) {
            return new Other("unreadable");
        }
        return switch (interaction.path("type").asInt()) {
            case Interactions.COMPONENT -> buttonPress(interaction, chat, user);
            case Interactions.COMMAND -> commandMessage(interaction, chat, user);
            case Interactions.MODAL -> formAnswer(interaction, chat, user);
            default -> new Other("interaction");
        };
    }

    private ButtonPress buttonPress(JsonNode interaction, String chat, JsonNode user) {
        return new ButtonPress(
                new ConversationAddress(bot, chat, null),
                sender(user, interaction.path("member")),
                Interactions.id(interaction),
                interaction.path("data").path("custom_id").asText(""),
                interaction.path("message").path("id").asText(),
                interaction.path("locale").asText(null));
    }

    private FormAnswer formAnswer(JsonNode interaction, String chat, JsonNode user) {
        JsonNode data = interaction.path("data");
        return new FormAnswer(
                new ConversationAddress(bot, chat, null),
                sender(user, interaction.path("member")),
                Interactions.id(interaction),
                data.path("custom_id").asText(""),
                DiscordForms.values(data),
                interaction.path("locale").asText(null));
    }

    private ChatMessage commandMessage(JsonNode interaction, String chat, JsonNode user) {
        JsonNode data = interaction.path("data");
        return new ChatMessage(
                new ConversationAddress(bot, chat, null),
                ChannelIds.isPrivate(chat),
                sender(user, interaction.path("member")),
                user.path("bot").asBoolean(),
                true,
                data.path("name").asText("").toLowerCase(Locale.ROOT),
                data.path("options").path(0).path("value").asText("").strip(),
                List.of(),
                null,
                null,
                interaction.path("id").asText(),
                false,
                null,
                interaction.path("locale").asText(null),
                null);
    }

    /** The user of an event, which in a guild is part of the member. */
    static JsonNode user(JsonNode event) {
        return event.has("user") ? event.get("user") : event.path("member").path("user");
    }

    static boolean isId(JsonNode value) {
        return value.asText("").matches("\\d{1,20}");
    }

    private boolean isMe(JsonNode user) {
        return user.path("id").asText().equals(id);
    }

    private static Sender sender(JsonNode user, JsonNode member) {
        String name = first(member.path("nick"), user.path("global_name"), user.path("username"));
        return new Sender(user.path("id").asText(), name);
    }

    private static String first(JsonNode... names) {
        for (JsonNode name : names) {
            if (name.isTextual() && !name.asText().isBlank()) {
                return name.asText();
            }
        }
        return "somebody";
    }

    private boolean mentions(String content) {
        return content.contains("<@" + id + ">") || content.contains("<@!" + id + ">");
    }

    private String withoutMention(String content) {
        String trimmed = content.strip();
        for (String mention : List.of("<@" + id + ">", "<@!" + id + ">")) {
            if (trimmed.startsWith(mention)) {
                return trimmed.substring(mention.length()).strip();
            }
        }
        return trimmed;
    }

    /** Replaces the ids in mentions with names. */
    private static String readable(String content, JsonNode mentions) {
        String text = content;
        for (JsonNode user : mentions) {
            String number = user.path("id").asText();
            String name = "@" + sender(user, user.path("member")).name();
            text = text.replace("<@" + number + ">", name).replace("<@!" + number + ">", name);
        }
        return EMOJI.matcher(text).replaceAll("$1");
    }

    /** The messages that it forwards, or the one that it replies to. */
    private @Nullable String context(JsonNode message, JsonNode answered) {
        String quote = readable(DiscordContent.summary(answered), answered.path("mentions"));
        if (quote.isBlank()) {
            return DiscordContent.forwarded(message);
        }
        String author = isMe(answered.path("author"))
                ? "you"
                : sender(answered.path("author"), answered.path("member")).name();
        return "[in reply to %s: \"%s\"]".formatted(author, ClippedText.of(quote, QUOTED));
    }

    private static @Nullable Instant at(JsonNode timestamp) {
        try {
            return timestamp.isTextual()
                    ? OffsetDateTime.parse(timestamp.asText()).toInstant()
                    : null;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
