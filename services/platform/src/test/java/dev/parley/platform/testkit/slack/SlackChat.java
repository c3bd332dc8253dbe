package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A conversation, as one of its people sees it.
 *
 * @param id as Slack calls it
 * @param type im or channel
 */
public record SlackChat(FakeSlack slack, String id, String user, String type) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * An event that was sent.
     *
     * @param time the ts of its message
     * @param envelope what it was sent in
     */
    public record Sent(JsonNode payload, String time, String envelope) {}

    /** Somebody writes. */
    public Sent says(String text) {
        return says(text, null);
    }

    /** @param thread the ts of the message that is answered, or null */
    public Sent says(String text, @Nullable String thread) {
        ObjectNode message = message("message", text, thread);
        return sent(message, message.path("ts").asText());
    }

    /** Somebody mentions the bot: Slack tells of that twice where the app wants to know of all messages. */
    public Sent mentions(String text, @Nullable String thread) {
        ObjectNode message = message("message", "<@" + FakeSlack.BOT + "> " + text, thread);
        Sent first = sent(message, message.path("ts").asText());
        sent(message.deepCopy().put("type", "app_mention"), first.time());
        return first;
    }

    /** Somebody sends a file. */
    public Sent sendsFile(String text, String name, String type, byte[] bytes) {
        ObjectNode message = message("message", text, null).put("subtype", "file_share");
        message.putArray("files")
                .addObject()
                .put("name", name)
                .put("mimetype", type)
                .put("size", bytes.length)
                .put("url_private_download", slack.file(name, bytes));
        return sent(message, message.path("ts").asText());
    }

    /** A message of theirs reads otherwise now. */
    public Sent changes(Sent before, String text) {
        ObjectNode event = JSON.createObjectNode()
                .put("type", "message")
                .put("subtype", "message_changed")
                .put("channel", id)
                .put("channel_type", type)
                .put("ts", slack.nextTime());
        JsonNode old = before.payload().path("event");
        ObjectNode message = ((ObjectNode) old.deepCopy()).put("text", text);
        message.putObject("edited").put("user", user).put("ts", slack.nextTime());
        event.set("message", message);
        event.set("previous_message", old);
        return sent(event, before.time());
    }

    /** A message of theirs is deleted. */
    public Sent deletes(Sent before) {
        ObjectNode event = JSON.createObjectNode()
                .put("type", "message")
                .put("subtype", "message_deleted")
                .put("channel", id)
                .put("channel_type", type)
                .put("deleted_ts", before.time())
                .put("ts", slack.nextTime());
        event.set("previous_message", before.payload().path("event"));
        return sent(event, before.time());
    }

    /** The same event again, as Slack sends what was not acknowledged in time. */
    public Sent again(Sent before) {
        return new Sent(before.payload(), before.time(), slack.deliver("events_api", before.payload()));
    }

    /** Somebody presses a button. */
    public String presses(SlackMessage message, JsonNode button) {
        return slack.deliver("interactive", press(message, button.path("value").asText()));
    }

    /** What Slack sends when somebody presses a button. */
    public JsonNode press(SlackMessage message, String value) {
        ObjectNode payload = JSON.createObjectNode().put("type", "block_actions");
        payload.putObject("user").put("id", user).put("username", "somebody");
        ObjectNode container =
                payload.putObject("container").put("channel_id", id).put("message_ts", message.time());
        if (message.thread() != null) {
            container.put("thread_ts", message.thread());
        }
        payload.putArray("actions")
                .addObject()
                .put("type", "button")
                .put("value", value)
                .put("action_ts", slack.nextTime());
        return payload.put("trigger_id", slack.trigger());
    }

    /** Somebody fills in and sends a form. */
    public String submits(JsonNode view, Map<String, ? extends JsonNode> values) {
        return slack.deliver("interactive", submission(view, values));
    }

    /**
     * What Slack sends when somebody sends a form.
     *
     * @param values the state of each element, by the id of its block
     */
    public JsonNode submission(JsonNode view, Map<String, ? extends JsonNode> values) {
        ObjectNode payload = JSON.createObjectNode().put("type", "view_submission");
        payload.putObject("user").put("id", user).put("username", "somebody").put("team_id", "T0");
        ObjectNode sent =
                ((ObjectNode) view.deepCopy()).put("id", "V" + slack.nextTime().replace(".", ""));
        ObjectNode state = sent.putObject("state").putObject("values");
        values.forEach((block, element) -> state.putObject(block).set("value", element));
        payload.set("view", sent);
        return payload;
    }

    /** Somebody presses the stop button of an answer in a thread. */
    public String stops(String thread, List<String> messages) {
        ObjectNode event = JSON.createObjectNode()
                .put("type", "agent_session_stopped")
                .put("channel", id)
                .put("thread_ts", thread)
                .put("user", user)
                .put("event_ts", slack.nextTime());
        messages.forEach(event.putArray("streaming_message_ts")::add);
        slack.endStreams("stopped_by_user");
        return sent(event, thread).envelope();
    }

    /** An event of the app, such as that somebody has opened it. */
    public String event(ObjectNode event) {
        return sent(event, "").envelope();
    }

    /** Somebody gives a slash command. */
    public String commands(String text) {
        return slack.deliver("slash_commands", command(text));
    }

    /** What Slack sends for a slash command. */
    public ObjectNode command(String text) {
        return JSON.createObjectNode()
                .put("command", "/parley")
                .put("text", text)
                .put("user_id", user)
                .put("user_name", "somebody")
                .put("channel_id", id)
                .put("trigger_id", slack.trigger());
    }

    /** What the bot has said here. */
    public List<SlackMessage> answers() {
        return slack.messages(id);
    }

    /** Nothing can be said here any more. */
    public void closes() {
        slack.archive(id);
    }

    private ObjectNode message(String kind, String text, @Nullable String thread) {
        ObjectNode message = JSON.createObjectNode()
                .put("type", kind)
                .put("channel", id)
                .put("channel_type", type)
                .put("user", user)
                .put("text", text)
                .put("ts", slack.nextTime());
        return thread == null ? message : message.put("thread_ts", thread);
    }

    private Sent sent(ObjectNode event, String time) {
        ObjectNode payload = JSON.createObjectNode()
                .put("type", "event_callback")
                .put("team_id", "T0")
                .put("event_id", "Ev" + slack.nextTime().replace(".", ""));
        payload.set("event", event);
        return new Sent(payload, time, slack.deliver("events_api", payload));
    }
}
