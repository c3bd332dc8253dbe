package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.FormAnswer;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.protocol.Opinion;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Parser of activities; unknown ones are ignored. A private chat has the id of its person, which is that of Entra ID. A
 * thread of a channel is a conversation of its own.
 *
 * @param bot name of the bot
 * @param app id of its app
 * @see <a href="https://learn.microsoft.com/microsoftteams/platform/bots/how-to/conversations/conversation-messages">
 *     conversations</a>
 */
record TeamsEvents(String bot, String app) {
    private static final Pattern COMMAND = Pattern.compile("/([A-Za-z]{1,32})(?:\\s+(.*))?", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("[A-Za-z]{1,40}(?:/[A-Za-z]{1,40})?");
    private static final Pattern REASON =
            Pattern.compile("\\{\\s*\"feedbackText\"\\s*:\\s*\"(.{0,4000})\"\\s*}", Pattern.DOTALL);
    private static final int MAX_REACTIONS = 10;
    private static final String BOT_ID = "28:";
    private static final Set<String> ADDED = Set.of("add", "add-upgrade");

    /** The event of an activity; {@link Other} where it cannot be read. */
    Event event(JsonNode activity) {
        String type = text(activity, "type");
        return switch (type) {
            case "message" -> isPress(activity.path("value")) ? press(activity) : message(activity, false);
            case "messageUpdate" -> edit(activity);
            case "conversationUpdate" -> members(activity);
            case "installationUpdate" -> installation(activity);
            case "invoke" -> invoke(activity);
            case "messageReaction" -> opinion(activity);
            default -> other(type);
        };
    }

    private static Event other(String type) {
        return new Other(NAME.matcher(type).matches() ? type : "unknown");
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    /** The address of an activity, whose chat may be too long for one; null without a person or a conversation. */
    @Nullable
    ConversationAddress address(JsonNode activity) {
        JsonNode conversation = activity.path("conversation");
        String id = text(conversation, "id");
        String person = person(activity);
        boolean privately = isPrivate(activity);
        if (id.isEmpty() || (privately && person.isEmpty())) {
            return null;
        }
        String chat = Conversation.chat(privately ? person : Conversation.base(id));
        String topic = privately ? null : topic(activity, id);
        return ConversationAddress.NAME.matcher(chat).matches() ? new ConversationAddress(bot, chat, topic) : null;
    }

    /** The thread of a message in a channel, where one without a thread begins one. */
    private static @Nullable String topic(JsonNode activity, String conversation) {
        String thread = Conversation.thread(conversation);
        boolean begins = thread == null
                && text(activity.path("conversation"), "conversationType").equals("channel")
                && text(activity, "type").startsWith("message");
        String topic = begins ? text(activity, "id") : thread;
        return topic != null && ConversationAddress.NAME.matcher(topic).matches() ? topic : null;
    }

    static boolean isPrivate(JsonNode activity) {
        JsonNode conversation = activity.path("conversation");
        String type = text(conversation, "conversationType");
        return type.isEmpty() ? !conversation.path("isGroup").asBoolean() : type.equals("personal");
    }

    /** The id of the sender in Entra ID, else the connector's. */
    private static String person(JsonNode activity) {
        JsonNode from = activity.path("from");
        String directory = text(from, "aadObjectId").toLowerCase(Locale.ROOT);
        return directory.isEmpty() ? text(from, "id") : directory;
    }

    private static Sender sender(JsonNode activity) {
        String id = person(activity);
        String name = text(activity.path("from"), "name").strip();
        return new Sender(id, name.isEmpty() ? id : name);
    }

    /** The id of an activity as a reference; the digest of one that is none. */
    static String reference(JsonNode activity) {
        String id = text(activity, "id");
        return InboundMessage.REFERENCE.matcher(id).matches()
                ? id
                : ByteString.encodeUtf8(id + " " + text(activity, "timestamp"))
                        .sha256()
                        .hex();
    }

    // ---- messages

    private Event edit(JsonNode activity) {
        String kind = text(activity.path("channelData"), "eventType");
        return kind.isEmpty() || kind.equals("editMessage") ? message(activity, true) : new Other("messageUpdate");
    }

    private Event message(JsonNode activity, boolean edited) {
        ConversationAddress address = address(activity);
        if (text(activity.path("from"), "id").startsWith(BOT_ID)) {
            return new Other("bot_message");
        }
        if (address == null
                || text(activity, "id").isEmpty()
                || person(activity).isEmpty()) {
            return new Other("unreadable");
        }
        boolean privately = isPrivate(activity);
        var read = new Addressing(activity, app);
        List<Attachment> files = ActivityContent.files(activity);
        String context = ActivityContent.forwarded(activity);
        boolean isEmpty = read.text.isBlank() && read.command == null && !read.mentioned;
        return new ChatMessage(
                address,
                privately,
                sender(activity),
                false,
                privately || read.mentioned,
                read.command,
                isEmpty && files.isEmpty() && context == null ? Event.UNREADABLE : read.text,
                files,
                null,
                context,
                text(activity, "id"),
                edited,
                at(activity),
                language(activity),
                privately ? ActivityContent.quoted(activity) : null);
    }

    private static @Nullable String language(JsonNode activity) {
        String locale = text(activity, "locale");
        return locale.isEmpty() ? null : locale;
    }

    private static @Nullable Instant at(JsonNode activity) {
        try {
            return OffsetDateTime.parse(text(activity, "timestamp")).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A text without the mention of the bot at its beginning and the command, and whether it mentions the bot. */
    private static final class Addressing {
        private final String text;
        private final boolean mentioned;
        private final @Nullable String command;

        Addressing(JsonNode activity, String app) {
            String remainder = text(activity, "text").replace("&nbsp;", " ").replace('\u00A0', ' ');
            List<String> me = List.of(BOT_ID + app, text(activity.path("recipient"), "id"));
            boolean found = false;
            for (JsonNode entity : activity.path("entities")) {
                String mention = text(entity, "text");
                if (text(entity, "type").equals("mention") && !mention.isEmpty()) {
                    boolean isMe = me.contains(text(entity.path("mentioned"), "id"));
                    boolean isFirst = remainder.strip().startsWith(mention);
                    remainder = replaceFirst(remainder, mention, isMe && isFirst ? "" : "@" + name(entity));
                    found |= isMe;
                }
            }
            mentioned = found;
            Matcher slash = COMMAND.matcher(remainder.strip());
            if (slash.matches()) {
                command = slash.group(1).toLowerCase(Locale.ROOT);
                text = slash.group(2) == null ? "" : slash.group(2).strip();
            } else {
                command = null;
                text = remainder.strip();
            }
        }

        private static String name(JsonNode mention) {
            String name = text(mention.path("mentioned"), "name");
            return name.isEmpty() ? text(mention, "text").replaceAll("<[^>]*>", "") : name;
        }

        private static String replaceFirst(String text, String part, String by) {
            int position = text.indexOf(part);
            return position < 0 ? text : text.substring(0, position) + by + text.substring(position + part.length());
        }
    }

    // ---- presses

    private Event invoke(JsonNode activity) {
        String name = text(activity, "name");
        return switch (name) {
            case "adaptiveCard/action" -> press(activity);
            case "message/submitAction" -> opinion(activity);
            default -> other(name);
        };
    }

    /** Whether a message is what a client sends that does not know {@code Action.Execute}. */
    private static boolean isPress(JsonNode data) {
        return !text(data, Cards.CHOICE).isEmpty()
                || !text(data, TeamsForms.FORM).isEmpty();
    }

    private Event press(JsonNode activity) {
        JsonNode value = activity.path("value");
        JsonNode action = value.path("action").path("data");
        JsonNode data = isPress(action) ? action : value;
        ConversationAddress address = address(activity);
        String message = text(activity, "replyToId");
        if (address == null
                || person(activity).isEmpty()
                || !InboundMessage.REFERENCE.matcher(message).matches()) {
            return new Other("unreadable");
        }
        String form = text(data, TeamsForms.FORM);
        return form.isEmpty()
                ? new ButtonPress(
                        address,
                        sender(activity),
                        reference(activity),
                        text(data, Cards.CHOICE),
                        message,
                        language(activity))
                : new FormAnswer(
                        address,
                        sender(activity),
                        reference(activity),
                        form,
                        TeamsForms.values(data),
                        language(activity));
    }

    // ---- opinions

    private Event opinion(JsonNode activity) {
        List<Feedback> opinions = opinions(activity);
        return opinions.isEmpty() ? other(text(activity, "type")) : opinions.getFirst();
    }

    /** The opinions of an activity: of the thumbs below an answer, or reactions. */
    List<Feedback> opinions(JsonNode activity) {
        ConversationAddress address = address(activity);
        String message = text(activity, "replyToId");
        if (address == null
                || person(activity).isEmpty()
                || !InboundMessage.REFERENCE.matcher(message).matches()) {
            return List.of();
        }
        var opinions = new ArrayList<Feedback>();
        Sender author = sender(activity);
        reactions(activity, "reactionsAdded")
                .forEach(kind -> opinions.add(Feedback.ofReaction(address, author, message, kind, false)));
        reactions(activity, "reactionsRemoved")
                .forEach(kind -> opinions.add(Feedback.ofReaction(address, author, message, kind, true)));
        JsonNode thumbs = activity.path("value");
        if (text(thumbs, "actionName").equals("feedback")) {
            JsonNode given = thumbs.path("actionValue");
            Opinion opinion = Opinion.of(text(given, "reaction"));
            opinions.add(new Feedback(address, author, message, opinion, null, reason(text(given, "feedback"))));
        }
        return opinions;
    }

    private static List<String> reactions(JsonNode activity, String list) {
        var kinds = new ArrayList<String>();
        for (JsonNode reaction : activity.path(list)) {
            String kind = text(reaction, "type");
            if (!kind.isEmpty() && kinds.size() < MAX_REACTIONS) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    /** What the person wrote: a text, or JSON with it. */
    private static @Nullable String reason(String feedback) {
        Matcher inner = REASON.matcher(feedback);
        String reason = inner.matches() ? inner.group(1).replaceAll("\\\\(.)", "$1") : feedback;
        return reason.isBlank() ? null : reason;
    }

    // ---- the bot in its chats

    private Event members(JsonNode activity) {
        ConversationAddress address = address(activity);
        boolean isAdded = isMe(activity, "membersAdded");
        return address != null && (isAdded || isMe(activity, "membersRemoved"))
                ? new Membership(withoutThread(address), isAdded)
                : new Other("conversationUpdate");
    }

    private boolean isMe(JsonNode activity, String list) {
        String me = text(activity.path("recipient"), "id");
        for (JsonNode member : activity.path(list)) {
            String id = text(member, "id");
            if (id.equals(BOT_ID + app) || (!id.isEmpty() && id.equals(me))) {
                return true;
            }
        }
        return false;
    }

    private static ConversationAddress withoutThread(ConversationAddress address) {
        return new ConversationAddress(address.bot(), address.chat(), null);
    }

    private Event installation(JsonNode activity) {
        ConversationAddress address = address(activity);
        return address == null
                ? new Other("installationUpdate")
                : new Membership(withoutThread(address), ADDED.contains(text(activity, "action")));
    }

    /** The command of a person who has just installed the app for a private chat; null for other activities. */
    @Nullable
    ChatMessage greeting(JsonNode activity) {
        ConversationAddress address = address(activity);
        boolean isNew = text(activity, "type").equals("installationUpdate")
                && text(activity, "action").equals("add")
                && isPrivate(activity);
        return !isNew || address == null
                ? null
                : new ChatMessage(
                        address,
                        true,
                        sender(activity),
                        false,
                        true,
                        "start",
                        "",
                        List.of(),
                        null,
                        null,
                        reference(activity),
                        false,
                        null,
                        language(activity),
                        null);
    }
}
