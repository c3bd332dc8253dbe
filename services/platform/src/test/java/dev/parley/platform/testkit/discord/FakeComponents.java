package dev.parley.platform.testkit.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.discord.FakeDiscord.Refused;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Discord's rules for components: in messages ("V2", and buttons below a text) and in forms. */
final class FakeComponents {
    static final int FLAG = 1 << 15;

    private static final int MOST = 40;
    private static final int MOST_TEXT = 4_000;
    private static final int MOST_BYTES = 10_170;
    private static final List<Integer> LEGACY = List.of(1, 2);
    private static final List<Integer> OF_FORMS = List.of(3, 4, 21, 22, 23);

    private FakeComponents() {}

    static boolean isFlagged(JsonNode message) {
        return (message.path("flags").asInt() & FLAG) != 0;
    }

    /** Checks a new message, or an edit. */
    static void check(JsonNode body) {
        List<JsonNode> types = body.path("components").findValues("type");
        for (JsonNode id : body.path("components").findValues("custom_id")) {
            require(id.asText().length() <= 100);
        }
        if (!isFlagged(body)) {
            require(types.stream().allMatch(type -> LEGACY.contains(type.asInt())));
            return;
        }
        require(!body.hasNonNull("content") && body.path("embeds").isEmpty());
        require(!types.isEmpty() && types.size() <= MOST);
        List<String> texts = body.path("components").findValuesAsText("content");
        require(texts.stream().noneMatch(String::isBlank));
        require(texts.stream().mapToInt(String::length).sum() <= MOST_TEXT);
        if (body.path("components").toString().getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new Refused(500, 0, "500: Internal Server Error");
        }
    }

    /** Checks the edit of a message. */
    static void checkEdit(JsonNode message, JsonNode body) {
        if (isFlagged(message)) {
            require(!body.hasNonNull("content"));
        } else if (isFlagged(body)) {
            require(body.path("content").isNull()
                    || message.path("content").asText("").isEmpty());
        }
    }

    static void checkModal(JsonNode modal) {
        JsonNode parts = modal.path("components");
        require(modal.path("title").asText().length() <= 45 && parts.size() >= 1 && parts.size() <= 5);
        for (JsonNode part : parts) {
            if (part.path("type").asInt() == 10) {
                String text = part.path("content").asText("");
                require(!text.isBlank() && text.length() <= MOST_TEXT);
                continue;
            }
            JsonNode input = part.path("component");
            require(part.path("type").asInt() == 18
                    && part.path("label").asText().length() <= 45);
            require(part.path("description").asText("").length() <= 100);
            require(OF_FORMS.contains(input.path("type").asInt()));
            int options = input.path("options").size();
            int type = input.path("type").asInt();
            require(type == 3 ? options >= 1 && options <= 25 : type != 21 || options >= 2 && options <= 10);
            require(input.path("max_length").asInt() <= MOST_TEXT
                    && input.path("min_length").asInt()
                            <= input.path("max_length").asInt(MOST_TEXT));
            require(input.path("value").asText("").length() <= MOST_TEXT);
        }
    }

    /** The text of a message as people read it. */
    static String text(JsonNode message) {
        return isFlagged(message)
                ? message.path("components").findValuesAsText("content").stream()
                        .collect(Collectors.joining("\n\n"))
                : message.path("content").asText();
    }

    private static void require(boolean isRight) {
        if (!isRight) {
            throw new Refused(400, 50035, "Invalid Form Body");
        }
    }
}
