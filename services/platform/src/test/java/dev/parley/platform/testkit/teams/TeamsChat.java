package dev.parley.platform.testkit.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conversation, as one of its people sees it.
 *
 * @param id as the connector names it, without a thread
 * @param type personal, groupChat or channel
 * @param person id of the person in Entra ID
 */
public record TeamsChat(FakeTeams teams, String id, String type, String person, String name) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * An activity that was brought to the bot.
     *
     * @param status of the bot's answer
     */
    public record Sent(ObjectNode activity, int status, String answer) {
        /** The id of the message. */
        public String id() {
            return activity.path("id").asText();
        }
    }

    /** Somebody writes. */
    public Sent says(String text) {
        return sends(message(text, null));
    }

    /** Somebody mentions the bot, in a thread that begins with this message, or in a new one. */
    public Sent mentions(String text, @Nullable String thread) {
        ObjectNode message = message("<at>Parley</at> " + text, thread);
        ObjectNode mention =
                message.putArray("entities").addObject().put("type", "mention").put("text", "<at>Parley</at>");
        mention.putObject("mentioned").put("id", "28:" + FakeTeams.APP).put("name", "Parley");
        return sends(message);
    }

    /** Somebody sends a file, in a private chat. */
    public Sent sendsFile(String text, String name, byte[] bytes) {
        ObjectNode message = message(text, null);
        ObjectNode file = message.putArray("attachments")
                .addObject()
                .put("contentType", "application/vnd.microsoft.teams.file.download.info")
                .put("name", name);
        file.putObject("content").put("downloadUrl", teams.file(bytes)).put("fileType", "csv");
        return sends(message);
    }

    /** Somebody answers a message of the bot in a private chat by quoting it. */
    public Sent quotes(TeamsMessage quoted, String text) {
        ObjectNode message = message(text, null);
        message.putArray("attachments")
                .addObject()
                .put("contentType", "text/html")
                .put(
                        "content",
                        "<blockquote itemscope=\"\" itemtype=\"http://schema.skype.com/Reply\" itemid=\"" + quoted.id()
                                + "\"><p>…</p></blockquote><p>" + text + "</p>");
        return sends(message);
    }

    /** A message of theirs reads otherwise now. */
    public Sent changes(Sent before, String text) {
        ObjectNode edited =
                before.activity().deepCopy().put("type", "messageUpdate").put("text", text);
        edited.put("timestamp", "2026-11-30T10:00:01Z").putObject("channelData").put("eventType", "editMessage");
        return sends(edited);
    }

    /** The same activity again, as Teams brings what was not answered in time. */
    public Sent again(Sent before) {
        return sends(before.activity());
    }

    /** Somebody installs the app here. */
    public Sent installs() {
        return sends(activity("installationUpdate", null).put("action", "add"));
    }

    /** Somebody presses a button. */
    public Sent presses(TeamsMessage message, JsonNode button) {
        return sends(press(message, button.path("data").path("choice").asText()));
    }

    /** What Teams sends when somebody presses a button. */
    public ObjectNode press(TeamsMessage message, String choice) {
        ObjectNode press =
                activity("invoke", null).put("name", "adaptiveCard/action").put("replyToId", message.id());
        ((ObjectNode) press.get("conversation")).put("id", message.conversation());
        ObjectNode action = press.putObject("value").putObject("action");
        action.put("type", "Action.Execute")
                .put("verb", "choice")
                .putObject("data")
                .put("choice", choice);
        return press;
    }

    /** What the bot has said here. */
    public List<TeamsMessage> answers() {
        return teams.messages(id);
    }

    /** Nothing can be said here any more. */
    public void closes() {
        teams.closes(id);
    }

    /** A message, not sent yet. */
    public ObjectNode message(String text, @Nullable String thread) {
        ObjectNode message = activity("message", null).put("text", text).put("textFormat", "plain");
        String root = thread == null ? message.path("id").asText() : thread;
        if (type.equals("channel")) {
            ((ObjectNode) message.get("conversation")).put("id", id + ";messageid=" + root);
        }
        return message;
    }

    private ObjectNode activity(String kind, @Nullable String locale) {
        ObjectNode activity = JSON.createObjectNode()
                .put("type", kind)
                .put("id", teams.nextId())
                .put("timestamp", "2026-11-30T10:00:00Z")
                .put("locale", locale == null ? "en-US" : locale)
                .put("channelId", "msteams")
                .put("serviceUrl", teams.serviceUrl());
        activity.putObject("from").put("id", "29:1" + person).put("name", name).put("aadObjectId", person);
        ObjectNode conversation = activity.putObject("conversation")
                .put("conversationType", type)
                .put("tenantId", FakeTeams.TENANT)
                .put("id", id);
        if (!type.equals("personal")) {
            conversation.put("isGroup", true);
        }
        activity.putObject("recipient").put("id", "28:" + FakeTeams.APP).put("name", "Parley");
        activity.putObject("channelData").putObject("tenant").put("id", FakeTeams.TENANT);
        return activity;
    }

    /** Brings an activity to the bot. */
    public Sent sends(ObjectNode activity) {
        FakeTeams.Answer answer = teams.deliver(activity);
        return new Sent(activity, answer.status(), answer.body());
    }
}
