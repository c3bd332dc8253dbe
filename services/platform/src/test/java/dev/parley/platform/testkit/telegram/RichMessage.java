package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Pattern;

/** Reads rich messages of bots, with the limits of Bot API 10.5. Their visible text is their source. */
final class RichMessage {
    private static final int LONGEST_TEXT = 32_768;
    private static final int MOST_BLOCKS = 500;
    private static final int MOST_COLUMNS = 20;
    private static final Pattern MEDIA = Pattern.compile("!\\[[^\\]]*\\]\\((?!tg:)");

    private RichMessage() {}

    /**
     * The content of a message.
     *
     * @throws ApiError if it is invalid
     */
    static ObjectNode read(JsonNode rich) {
        List<String> forms = List.of("markdown", "html", "blocks");
        if (forms.stream().filter(rich::has).count() != 1) {
            throw ApiError.bad("RICH_MESSAGE_CONTENT_REQUIRED");
        }
        String source = rich.path("markdown").asText(rich.path("html").asText(""));
        if (source.isBlank() && !rich.has("blocks")) {
            throw ApiError.bad("RICH_MESSAGE_CONTENT_REQUIRED");
        }
        if (source.length() > LONGEST_TEXT) {
            throw ApiError.bad("RICH_MESSAGE_TEXT_TOO_LONG");
        }
        List<String> lines = source.lines().filter(line -> !line.isBlank()).toList();
        if (lines.size() > 4 * MOST_BLOCKS) {
            throw ApiError.bad("RICH_MESSAGE_BLOCKS_TOO_MANY");
        }
        if (lines.stream()
                .anyMatch(line -> line.startsWith("|") && line.split("(?<!\\\\)\\|").length > MOST_COLUMNS + 1)) {
            throw ApiError.bad("RICH_MESSAGE_TABLE_INVALID");
        }
        if (MEDIA.matcher(source).find()) {
            throw ApiError.bad("RICH_MESSAGE_PHOTO_URL_INVALID");
        }
        ObjectNode content = Json.object().put("text", source.strip());
        content.set("rich_message", rich);
        return content;
    }
}
