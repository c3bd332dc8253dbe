package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
            case "actions" -> !block.path("elements").isEmpty();
            case "context_actions" -> block.path("elements").path(0).has("positive_button");
            case "file" -> true;
            default -> false;
        };
        return valid ? null : "invalid_blocks";
    }

    private static boolean isText(JsonNode text, int most) {
        return !text.asText().isEmpty() && text.asText().length() <= most;
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
