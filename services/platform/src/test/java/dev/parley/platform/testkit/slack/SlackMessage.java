package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message of the bot, as it stands there now.
 *
 * @param time its ts
 * @param thread the ts of the message that it answers, or null
 * @param blocks what it shows
 * @param changes how often it was changed
 */
public record SlackMessage(
        String channel, String time, @Nullable String thread, JsonNode blocks, int changes) {
    /** What people read. */
    public String text() {
        JsonNode first = blocks.path(0);
        return first.path("type").asText().equals("file")
                ? "file " + first.path("name").asText()
                : readable(first.path("text").path("text").asText());
    }

    /** What is written for Slack. */
    public String markup() {
        return blocks.path(0).path("text").path("text").asText();
    }

    private static String readable(String text) {
        return text.replace("\u200B", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }

    /** Its buttons: each with its text and its value. */
    public List<JsonNode> buttons() {
        var buttons = new ArrayList<JsonNode>();
        blocks.path(1).path("elements").forEach(buttons::add);
        return buttons;
    }
}
