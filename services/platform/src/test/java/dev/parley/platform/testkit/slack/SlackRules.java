package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/** What Slack accepts as a message. */
final class SlackRules {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_BLOCKS = 50;
    private static final int MOST_SECTION = 3_000;
    static final int MOST_MARKDOWN = 12_000;
    private static final int MOST_TOGETHER = 13_200;
    private static final int MOST_CELLS = 20;
    private static final int MOST_ROWS = 100;

    private SlackRules() {}

    static JsonNode json(JsonNode params, String field) {
        try {
            return JSON.readTree(params.path(field).asText("[]"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode blocks(JsonNode params) {
        return json(params, "blocks");
    }

    /** The error for a message; null where Slack takes it. */
    static @Nullable String refusal(JsonNode params) {
        JsonNode blocks = blocks(params);
        if (params.path("text").asText().isEmpty() && blocks.isEmpty()) {
            return "no_text";
        }
        return refusalOf(blocks);
    }

    static @Nullable String refusalOf(JsonNode blocks) {
        int markdown = 0;
        int together = 0;
        int tables = 0;
        for (JsonNode block : blocks) {
            String refusal = refusalOfOne(block);
            if (refusal != null) {
                return refusal;
            }
            boolean isMarkdown = block.path("type").asText().equals("markdown");
            markdown += isMarkdown ? block.path("text").asText().length() : 0;
            tables += block.has("rows") ? 1 : 0;
            together += SlackMessage.text(block).length();
        }
        return blocks.size() > MOST_BLOCKS
                ? "invalid_blocks"
                : tables > 1
                        ? "invalid_attachments"
                        : markdown > MOST_MARKDOWN || together > MOST_TOGETHER ? "msg_blocks_too_long" : null;
    }

    private static @Nullable String refusalOfOne(JsonNode block) {
        boolean valid = switch (block.path("type").asText()) {
            case "section" -> isText(block.path("text").path("text"), MOST_SECTION);
            case "markdown" -> isText(block.path("text"), MOST_MARKDOWN);
            case "table" -> isTable(block, 1, MOST_ROWS);
            case "data_table" -> isText(block.path("caption"), MOST_SECTION) && isTable(block, 2, MOST_ROWS + 1);
            case "actions" -> !block.path("elements").isEmpty() && block.path("elements").size() <= 25;
            case "context_actions" ->
                block.path("elements").size() <= 5
                        && isThumb(block.path("elements").path(0).path("positive_button"))
                        && isThumb(block.path("elements").path(0).path("negative_button"));
            case "file" -> true;
            default -> false;
        };
        return valid ? null : "invalid_blocks";
    }

    /** Whether Slack opens a modal. */
    static boolean isView(JsonNode view) {
        boolean valid = view.path("type").asText().equals("modal")
                && isPlain(view.path("title"), 24)
                && (view.path("submit").isMissingNode() || isPlain(view.path("submit"), 24))
                && view.path("private_metadata").asText().length() <= 3_000
                && view.path("callback_id").asText().length() <= 255
                && !view.path("blocks").isEmpty()
                && view.path("blocks").size() <= 100;
        var ids = new HashSet<String>();
        for (JsonNode block : view.path("blocks")) {
            boolean isInput = block.path("type").asText().equals("input");
            valid &= isInput ? ids.add(block.path("block_id").asText()) && isInput(block) : refusalOfOne(block) == null;
        }
        return valid;
    }

    private static boolean isInput(JsonNode block) {
        JsonNode element = block.path("element");
        boolean valid = isText(block.path("block_id"), 255)
                && isPlain(block.path("label"), 2_000)
                && (block.path("hint").isMissingNode() || isPlain(block.path("hint"), 2_000))
                && isText(element.path("action_id"), 255);
        int most = element.path("type").asText().equals("radio_buttons") ? 10 : 100;
        for (JsonNode option : element.path("options")) {
            valid &= isPlain(option.path("text"), 75) && isText(option.path("value"), 150);
        }
        return valid
                && switch (element.path("type").asText()) {
                    case "plain_text_input" ->
                        element.path("min_length").asInt() <= 3_000
                                && element.path("max_length").asInt(1) >= 1
                                && element.path("max_length").asInt() <= 3_000
                                && element.path("min_length").asInt() <= element.path("max_length").asInt(3_000);
                    case "number_input" -> element.has("is_decimal_allowed");
                    case "datepicker" ->
                        element.path("initial_date").asText("2026-01-01").matches("\\d{4}-\\d\\d-\\d\\d");
                    case "radio_buttons", "static_select", "multi_static_select" ->
                        !element.path("options").isEmpty() && element.path("options").size() <= most;
                    default -> false;
                };
    }

    private static boolean isPlain(JsonNode text, int most) {
        return text.path("type").asText().equals("plain_text") && isText(text.path("text"), most);
    }

    private static boolean isText(JsonNode text, int most) {
        return !text.asText().isEmpty() && text.asText().length() <= most;
    }

    private static boolean isThumb(JsonNode button) {
        return isPlain(button.path("text"), 75) && isText(button.path("value"), 2_000);
    }

    private static boolean isTable(JsonNode block, int least, int most) {
        int columns = block.path("rows").path(0).size();
        boolean rows = columns >= 1
                && columns <= MOST_CELLS
                && block.path("rows").size() >= least
                && block.path("rows").size() <= most;
        for (JsonNode row : block.path("rows")) {
            for (JsonNode cell : row) {
                rows &= !cell.path("text").asText().isEmpty();
            }
            rows &= row.size() == columns;
        }
        return rows;
    }
}
