package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
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
        return StreamSupport.stream(blocks.spliterator(), false)
                .map(SlackMessage::text)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** What people read of a block. */
    static String text(JsonNode block) {
        return switch (block.path("type").asText()) {
            case "file" -> "file " + block.path("name").asText();
            case "markdown" -> readable(block.path("text").asText());
            case "section" -> readable(block.path("text").path("text").asText());
            case "table", "data_table" ->
                StreamSupport.stream(block.path("rows").spliterator(), false)
                        .map(row -> StreamSupport.stream(row.spliterator(), false)
                                .map(cell -> readable(cell.path("text").asText()))
                                .collect(Collectors.joining(" | ")))
                        .collect(Collectors.joining("\n"));
            default -> "";
        };
    }

    /** What is written for Slack, in the first block. */
    public String markup() {
        JsonNode text = blocks.path(0).path("text");
        return text.isTextual() ? text.asText() : text.path("text").asText();
    }

    /** The types of its blocks, in order. */
    public List<String> types() {
        return StreamSupport.stream(blocks.spliterator(), false)
                .map(block -> block.path("type").asText())
                .toList();
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
        blocks.forEach(block -> {
            if (block.path("type").asText().equals("actions")) {
                block.path("elements").forEach(buttons::add);
            }
        });
        return buttons;
    }
}
