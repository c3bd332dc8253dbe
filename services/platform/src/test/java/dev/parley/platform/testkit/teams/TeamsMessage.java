package dev.parley.platform.testkit.teams;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the bot, as it stands there now.
 *
 * @param conversation as it was sent to, with its thread
 * @param activity what was sent last
 * @param changes how often it was changed
 */
public record TeamsMessage(String conversation, String id, JsonNode activity, int changes) {
    /** What people read. */
    public String text() {
        String text = activity.path("text").asText();
        return activity.path("textFormat").asText().equals("markdown") ? readable(text) : text;
    }

    private static String readable(String text) {
        return text.replace("\u200B", "")
                .replaceAll("\\\\([\\\\*\\[\\]`_~#])", "$1")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }

    /** What is written for Teams. */
    public String markup() {
        return activity.path("text").asText();
    }

    /** Its buttons: each an action with its title and data. */
    public List<JsonNode> buttons() {
        var buttons = new ArrayList<JsonNode>();
        card().path("actions").forEach(buttons::add);
        return buttons;
    }

    /** Its Adaptive Card; a missing node where it has none. */
    public JsonNode card() {
        return activity.path("attachments").path(0).path("content");
    }

    /** Whether it has the label for what an AI has written. */
    public boolean isLabelled() {
        for (JsonNode entity : activity.path("entities")) {
            if (entity.path("additionalType").toString().contains("AIGeneratedContent")) {
                return true;
            }
        }
        return false;
    }
}
