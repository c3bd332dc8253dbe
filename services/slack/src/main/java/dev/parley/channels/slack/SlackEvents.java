package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.FormAnswer;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.slack.SlackSettings.AgentView;
import dev.parley.domain.protocol.Opinion;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Parser of Slack's payloads: events, presses, slash commands. Unknown ones are ignored.
 *
 * <p>The chat id of a private chat is that of its user, not Slack's own id; in channels, and in private with apps
 * that have {@code agent_view}, each message starts a thread, which is a conversation of its own.
 *
 * @param bot name of the bot
 * @param id the bot's own user id
 * @param agentView whether each message in private starts a thread
 * @see <a href="https://docs.slack.dev/apis/events-api/">the Events API</a>
 */
record SlackEvents(String bot, String id, AgentView agentView) {
    /** Subtypes of messages that users write; others describe them, or events in a channel. */
    private static final Set<String> WRITTEN = Set.of("", "file_share", "thread_broadcast", "me_message");

    private static final int MAX_STOPS = 10;
    /** What the person has open, in messages to apps with {@code agent_view}. */
    private static final String APP_CONTEXT = "app_context";

    private static final Pattern COMMAND = Pattern.compile("/([A-Za-z]{1,32})(?:\\s+(.*))?", Pattern.DOTALL);
    private static final Pattern ID = Pattern.compile("[A-Z0-9]{2,32}");
    private static final Pattern TIME = Pattern.compile("\\d{1,12}\\.\\d{1,9}");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");

    /** The event of a payload; {@link Other} where it cannot be read. */
    Event event(JsonNode payload) {
        if (payload.has("command")) {
            return slash(payload);
        }
        return switch (payload.path("type").asText()) {
            case "event_callback" -> callback(payload.path("event"));
            case "block_actions" -> buttonPress(payload);
            case "view_submission" -> formAnswer(payload);
            default -> new Other("unknown");
        };
    }

    /** The private chat of a payload and its user, or null. */
    static @Nullable Direct direct(JsonNode payload) {
        JsonNode event = payload.path("event");
        String channel = event.path("channel").asText();
        String user = event.path("user").asText();
        return isDirect(event, channel) && isId(user) ? new Direct(user, channel) : null;
    }

    /** A private chat. */
    record Direct(String user, String channel) {}

    /** The chat with the app that a person has opened; null for other payloads. */
    static @Nullable Opened opened(JsonNode payload) {
        JsonNode event = payload.path("event");
        JsonNode assistant = event.path("assistant_thread");
        Opened opened = switch (event.path("type").asText()) {
            case "app_home_opened" ->
                event.path("tab").asText().equals("messages")
                        ? new Opened(event.path("channel").asText(), null)
                        : null;
            case "assistant_thread_started" ->
                new Opened(
                        assistant.path("channel_id").asText(),
                        assistant.path("thread_ts").asText());
            default -> null;
        };
        return opened != null && isId(opened.channel()) && (opened.thread() == null || isTime(opened.thread()))
                ? opened
                : null;
    }

    /**
     * A chat that was opened.
     *
     * @param thread of an app with {@code assistant_view}, or null
     */
    record Opened(String channel, @Nullable String thread) {}

    /** The person to whom an answer to an event is shown; null where the event is none of a person's. */
    static @Nullable Recipient recipient(JsonNode payload) {
        JsonNode event = payload.path("event");
        String user = text(event.path("user"), payload.path("user").path("id"));
        String team = Stream.of(
                        event.path("user_team"),
                        event.path("team"),
                        payload.path("user").path("team_id"),
                        payload.path("team_id"))
                .map(JsonNode::asText)
                .filter(SlackEvents::isId)
                .findFirst()
                .orElse("");
        return isId(user) && !team.isEmpty() ? new Recipient(user, team) : null;
    }

    /** A person, and the workspace that they belong to. */
    record Recipient(String user, String team) {}

    /** The ordering key of a payload. */
    static String chat(JsonNode payload) {
        String channel = payload.path("event").path("channel").asText("");
        return !channel.isEmpty()
                ? channel
                : payload.path("channel")
                        .path("id")
                        .asText(payload.path("user_id")
                                .asText(payload.path("user").path("id").asText("")));
    }

    private Event callback(JsonNode event) {
        String type = event.path("type").asText();
        return switch (type) {
            case "message", "app_mention" -> message(event);
            case "channel_archive", "group_archive", "channel_left", "group_left" -> membership(event, false);
            case "channel_unarchive", "group_unarchive" -> membership(event, true);
            case "agent_session_stopped" -> stopped(event);
            case "reaction_added" -> reaction(event, false);
            case "reaction_removed" -> reaction(event, true);
            case "member_joined_channel" ->
                event.path("user").asText().equals(id) ? membership(event, true) : new Other(type);
            default -> new Other(type.matches("\\w{1,40}") ? type : "unknown");
        };
    }

    private Event membership(JsonNode event, boolean canWrite) {
        String channel = event.path("channel").asText();
        return isId(channel)
                ? new Membership(new ConversationAddress(bot, channel, null), canWrite)
                : new Other("unreadable");
    }

    /** The stop button of a thread, where no message is streamed: the command of the person who pressed it. */
    private Event stopped(JsonNode event) {
        ConversationAddress address = stoppedThread(event);
        String user = event.path("user").asText();
        String time = event.path("event_ts").asText();
        if (address == null || !isTime(time)) {
            return new Other("agent_session_stopped");
        }
        return new ChatMessage(
                address,
                SlackPeople.isPrivate(address.chat()),
                new Sender(user, user),
                false,
                true,
                "stop",
                "",
                List.of(),
                null,
                null,
                "stop." + time,
                false,
                null,
                null,
                null);
    }

    private @Nullable ConversationAddress stoppedThread(JsonNode event) {
        String channel = event.path("channel").asText();
        String user = event.path("user").asText();
        String thread = event.path("thread_ts").asText();
        return isId(channel) && isId(user) && isTime(thread)
                ? new ConversationAddress(bot, isDirect(event, channel) ? user : channel, thread)
                : null;
    }

    /** The streamed answers that the stop button of a thread has stopped; empty for other payloads. */
    List<Event.Stop> stops(JsonNode payload) {
        JsonNode event = payload.path("event");
        ConversationAddress address =
                event.path("type").asText().equals("agent_session_stopped") ? stoppedThread(event) : null;
        if (address == null) {
            return List.of();
        }
        String user = event.path("user").asText();
        return StreamSupport.stream(event.path("streaming_message_ts").spliterator(), false)
                .map(JsonNode::asText)
                .filter(SlackEvents::isTime)
                .distinct()
                .limit(MAX_STOPS)
                .map(message -> new Event.Stop(address, new Sender(user, user), message))
                .toList();
    }

    /** A reaction to a message of the bot. */
    private Event reaction(JsonNode event, boolean removed) {
        JsonNode item = event.path("item");
        String channel = item.path("channel").asText();
        String user = event.path("user").asText();
        if (!event.path("item_user").asText(id).equals(id)
                || user.equals(id)
                || !isId(channel)
                || !isId(user)
                || !isTime(item.path("ts").asText())) {
            return new Other("reaction");
        }
        return Feedback.ofReaction(
                new ConversationAddress(bot, channel.startsWith("D") ? user : channel, null),
                new Sender(user, user),
                item.path("ts").asText(),
                event.path("reaction").asText(),
                removed);
    }

    private Event message(JsonNode event) {
        String subtype = event.path("subtype").asText("");
        if (subtype.equals("message_changed")) {
            return changedMessage(event);
        }
        if (subtype.equals("message_deleted")) {
            return deletedMessage(event);
        }
        if (!WRITTEN.contains(subtype)) {
            return new Other(subtype.matches("\\w{1,40}") ? subtype : "unknown");
        }
        return message(event, event, false);
    }

    /** Slack also reports a change where it only adds a link preview. */
    private Event changedMessage(JsonNode event) {
        JsonNode message = event.path("message");
        boolean edited = message.has("edited")
                && WRITTEN.contains(message.path("subtype").asText(""))
                && !message.path("text").equals(event.path("previous_message").path("text"));
        return edited ? message(event, message, true) : new Other("message_changed");
    }

    /** In private every message is for the bot, and was answered. */
    private Event deletedMessage(JsonNode event) {
        String channel = event.path("channel").asText();
        String time = event.path("deleted_ts").asText();
        String thread = event.path("previous_message").path("thread_ts").asText(time);
        return isId(channel) && isTime(time) && isTime(thread) && !isDirect(event, channel)
                ? new Event.Deleted(new ConversationAddress(bot, channel, thread), time)
                : new Other("message_deleted");
    }

    /** The event of a message that was read from a channel. */
    Event earlier(JsonNode message, String channel) {
        ObjectNode event = message.deepCopy();
        return message(event.put("channel", channel));
    }

    /** @param message the message; of a change it is part of the event */
    private Event message(JsonNode event, JsonNode message, boolean edited) {
        String user = message.path("user").asText();
        if (message.has("bot_id") || user.equals(id)) {
            return new Other("bot_message");
        }
        if (!isId(event.path("channel").asText())
                || !isId(user)
                || !isTime(message.path("ts").asText())) {
            return new Other("unreadable");
        }
        var read = new Addressing(message.path("text").asText(), id);
        List<Attachment> files = SlackContent.files(message);
        return message(event, message, read, files, edited);
    }

    private ChatMessage message(
            JsonNode event, JsonNode message, Addressing read, List<Attachment> files, boolean edited) {
        JsonNode open = event.path(APP_CONTEXT).isMissingNode() ? message.path(APP_CONTEXT) : event.path(APP_CONTEXT);
        String channel = event.path("channel").asText();
        String user = message.path("user").asText();
        String time = message.path("ts").asText();
        boolean privately = isDirect(event, channel);
        return new ChatMessage(
                        address(privately, channel, user, message, !open.isMissingNode()),
                        privately,
                        new Sender(user, user),
                        false,
                        privately || isInMyThread(message) || read.mentioned,
                        read.command,
                        SlackContent.text(
                                message, read.text, files.isEmpty() && read.command == null && !read.mentioned),
                        files,
                        null,
                        SlackContent.forwarded(message),
                        time,
                        edited,
                        at(time),
                        null,
                        privately ? thread(message) : null)
                .withContext(AppContext.line(open));
    }

    private boolean isInMyThread(JsonNode message) {
        return message.path("parent_user_id").asText().equals(id);
    }

    private static @Nullable String thread(JsonNode message) {
        return message.has("thread_ts") ? message.get("thread_ts").asText() : null;
    }

    private ConversationAddress address(
            boolean privately, String channel, String user, JsonNode message, boolean hasAppContext) {
        String thread = message.path("thread_ts").asText("");
        String topic = isTime(thread)
                ? thread
                : privately && !isAgentView(hasAppContext)
                        ? null
                        : message.path("ts").asText();
        return new ConversationAddress(bot, privately ? user : channel, topic);
    }

    private boolean isAgentView(boolean hasAppContext) {
        return switch (agentView) {
            case YES -> true;
            case NO -> false;
            case AS_DELIVERED -> hasAppContext;
        };
    }

    private static boolean isDirect(JsonNode event, String channel) {
        return event.has("channel_type") ? event.get("channel_type").asText().equals("im") : channel.startsWith("D");
    }

    private static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    private static boolean isTime(String text) {
        return TIME.matcher(text).matches();
    }

    private static Instant at(String time) {
        String seconds = time.substring(0, time.indexOf('.'));
        return Instant.ofEpochSecond(SECONDS.matcher(seconds).matches() ? Long.parseLong(seconds) : 0);
    }

    private Event buttonPress(JsonNode payload) {
        JsonNode action = payload.path("actions").path(0);
        JsonNode container = payload.path("container");
        JsonNode message = payload.path("message");
        String channel =
                text(container.path("channel_id"), payload.path("channel").path("id"));
        String user = payload.path("user").path("id").asText();
        String time = text(container.path("message_ts"), message.path("ts"));
        if (!action.has("value") || !isId(channel) || !isId(user) || !isTime(time)) {
            return new Other("block_actions");
        }
        String thread = text(container.path("thread_ts"), message.path("thread_ts"));
        var address =
                new ConversationAddress(bot, channel.startsWith("D") ? user : channel, isTime(thread) ? thread : null);
        var sender = new Sender(user, payload.path("user").path("username").asText(user));
        if (action.path("type").asText().equals(SlackBlocks.FEEDBACK)) {
            boolean good = action.get("value").asText().equals(SlackBlocks.GOOD);
            return new Feedback(address, sender, time, good ? Opinion.GOOD : Opinion.BAD, null, null);
        }
        return new ButtonPress(
                address,
                sender,
                payload.path("trigger_id").asText(),
                action.get("value").asText(),
                time,
                null);
    }

    /** The time of a press, which is the same when Slack sends it again. */
    static String pressedAt(JsonNode payload) {
        return payload.path("actions").path(0).path("action_ts").asText();
    }

    private Event formAnswer(JsonNode payload) {
        JsonNode view = payload.path("view");
        JsonNode user = payload.path("user");
        String id = user.path("id").asText();
        SlackForms.Metadata metadata = SlackForms.metadata(view).orElse(null);
        if (metadata == null
                || !isId(id)
                || !isId(metadata.chat())
                || !isId(view.path("id").asText())
                || (metadata.topic() != null && !isTime(metadata.topic()))) {
            return new Other("view_submission");
        }
        return new FormAnswer(
                new ConversationAddress(bot, metadata.chat(), metadata.topic()),
                new Sender(id, user.path("username").asText(user.path("name").asText(id))),
                view.path("id").asText(),
                metadata.data(),
                SlackForms.values(view),
                null);
    }

    /** The text of a value, or where that is missing, of another one. */
    private static String text(JsonNode value, JsonNode other) {
        return value.asText(other.asText());
    }

    /** A slash command refers to the private chat, because threads of channels have none. */
    private Event slash(JsonNode payload) {
        String user = payload.path("user_id").asText();
        if (!isId(user) || payload.path("trigger_id").asText().isEmpty()) {
            return new Other("slash_command");
        }
        return slashMessage(payload, user);
    }

    private ChatMessage slashMessage(JsonNode payload, String user) {
        String[] parts = payload.path("text").asText("").strip().split("\\s+", 2);
        String command = parts[0].replaceFirst("^/", "").toLowerCase(Locale.ROOT);
        return new ChatMessage(
                new ConversationAddress(bot, user, null),
                true,
                new Sender(user, payload.path("user_name").asText(user)),
                false,
                true,
                command.isEmpty() ? "help" : command,
                parts.length > 1 ? SlackText.toPlainText(parts[1]) : "",
                List.of(),
                null,
                null,
                payload.path("trigger_id").asText(),
                false,
                null,
                null,
                null);
    }

    /** A text without the leading mention of the bot and the command, whether it mentions the bot, and the command. */
    private static final class Addressing {
        private final String text;
        private final boolean mentioned;
        private final @Nullable String command;

        Addressing(String content, String id) {
            Pattern mention = Pattern.compile("<@" + Pattern.quote(id) + "(?:\\|[^>]*)?>");
            Matcher found = mention.matcher(content);
            mentioned = found.find();
            boolean first = mentioned && content.substring(0, found.start()).isBlank();
            String remainder = SlackText.toPlainText(first ? content.substring(found.end()) : content);
            Matcher slash = COMMAND.matcher(remainder.strip());
            if (slash.matches()) {
                command = slash.group(1).toLowerCase(Locale.ROOT);
                text = slash.group(2) == null ? "" : slash.group(2).strip();
            } else {
                command = null;
                text = first ? remainder.strip() : remainder;
            }
        }
    }
}
