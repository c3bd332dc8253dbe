package dev.parley.platform.testkit.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that the business sent.
 *
 * @param file the bytes of its file, or null
 */
@SuppressWarnings("ArrayRecordComponent") // messages are not compared
public record WhatsAppMessage(String id, String person, JsonNode content, byte @Nullable [] file) {
    /** What the person reads. */
    public String text() {
        String type = content.path("type").asText();
        return switch (type) {
            case "text" -> content.path("text").path("body").asText();
            case "interactive" ->
                content.path("interactive").path("body").path("text").asText();
            case "template" ->
                content.path("template").path("name").asText() + ": "
                        + content.findPath("parameters").path(0).path("text").asText();
            default -> type + " " + content.path(type).path("filename").asText();
        };
    }

    /** The ids of its buttons or rows. */
    public List<String> choices() {
        JsonNode action = content.path("interactive").path("action");
        return action.has("buttons")
                ? action.path("buttons")
                        .valueStream()
                        .map(button -> button.path("reply").path("id").asText())
                        .toList()
                : action.path("sections")
                        .path(0)
                        .path("rows")
                        .valueStream()
                        .map(row -> row.path("id").asText())
                        .toList();
    }

    /** The bytes of its file. */
    public byte[] bytes() {
        return Objects.requireNonNull(file);
    }
}
