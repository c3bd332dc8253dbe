package dev.parley.platform.testkit.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The limits of the Cloud API for messages. */
final class WhatsAppLimits {
    private WhatsAppLimits() {}

    /** What the API refuses; null for nothing. */
    static @Nullable String problem(JsonNode message) {
        return switch (message.path("type").asText()) {
            case "text" -> length("text.body", message.path("text").path("body"), 1, 4_096);
            case "interactive" -> interactive(message.path("interactive"));
            case "template" -> template(message.path("template"));
            case "document", "image", "video" -> {
                JsonNode caption = message.path(message.path("type").asText()).path("caption");
                yield caption.isMissingNode() ? null : length("caption", caption, 1, 1_024);
            }
            case "audio" -> message.path("audio").has("caption") ? "audio has no caption" : null;
            default -> "type";
        };
    }

    private static @Nullable String interactive(JsonNode interactive) {
        String body = length("body", interactive.path("body").path("text"), 1, 1_024);
        if (body != null) {
            return body;
        }
        JsonNode action = interactive.path("action");
        return interactive.path("type").asText().equals("button")
                ? buttons(action.path("buttons"))
                : rows(action.path("button"), action.path("sections").path(0).path("rows"));
    }

    private static @Nullable String buttons(JsonNode buttons) {
        Set<String> titles = new HashSet<>();
        for (JsonNode button : buttons) {
            JsonNode reply = button.path("reply");
            String problem = first(length("title", reply.path("title"), 1, 20), length("id", reply.path("id"), 1, 256));
            if (problem != null || !titles.add(reply.path("title").asText())) {
                return problem == null ? "a title twice" : problem;
            }
        }
        return buttons.isEmpty() || buttons.size() > 3 ? "1 to 3 buttons" : null;
    }

    private static @Nullable String rows(JsonNode button, JsonNode rows) {
        String problem = length("button", button, 1, 20);
        for (JsonNode row : rows) {
            problem = first(
                    problem, first(length("title", row.path("title"), 1, 24), length("id", row.path("id"), 1, 200)));
            problem = first(
                    problem, row.has("description") ? length("description", row.path("description"), 1, 72) : null);
        }
        return first(problem, rows.isEmpty() || rows.size() > 10 ? "1 to 10 rows" : null);
    }

    /** A parameter has neither lines nor tabs. */
    private static @Nullable String template(JsonNode template) {
        String text = template.findPath("parameters").path(0).path("text").asText();
        return text.isEmpty() || text.length() > 1_024 || text.matches("(?s).*([\\n\\t]| {5}).*")
                ? "parameter of the template"
                : null;
    }

    private static @Nullable String first(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    private static @Nullable String length(String name, JsonNode text, int least, int most) {
        int length = text.asText().length();
        return length < least || length > most ? name + " has " + length + " characters" : null;
    }
}
