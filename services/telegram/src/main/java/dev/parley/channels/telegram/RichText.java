package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The words of a rich message, as Markdown where it has a form for them. Blocks of kinds that are unknown here give the
 * words of their fields.
 *
 * @see <a href="https://core.telegram.org/bots/api#richmessage">its reference</a>
 */
final class RichText {
    private static final int DEEPEST = 16;
    private static final List<String> WORDS = List.of("title", "summary", "text", "expression", "caption", "credit");
    private static final List<String> INNER = List.of("blocks", "items", "rows", "cells");

    private RichText() {}

    static String of(JsonNode message) {
        return blocks(message.path("blocks"), 0);
    }

    private static String blocks(JsonNode blocks, int depth) {
        return blocks.valueStream()
                .map(block -> block(block, depth))
                .filter(text -> !text.isBlank())
                .collect(Collectors.joining("\n"));
    }

    private static String block(JsonNode block, int depth) {
        if (depth > DEEPEST) {
            return "";
        }
        return switch (block.path("type").asText()) {
            case "heading" -> "#".repeat(Math.clamp(block.path("size").asInt(1), 1, 6)) + " " + words(block, depth);
            case "list" ->
                block.path("items").valueStream().map(item -> item(item, depth)).collect(Collectors.joining("\n"));
            case "table" -> rows(block, depth);
            case "divider" -> "---";
            default -> {
                String words = words(block, depth);
                yield words.isBlank() ? "[" + block.path("type").asText("content") + "]" : words;
            }
        };
    }

    private static String item(JsonNode item, int depth) {
        String label = item.path("label").asText("-");
        String done =
                item.path("has_checkbox").asBoolean() ? item.path("is_checked").asBoolean() ? "[x] " : "[ ] " : "";
        return label + " " + done + words(item, depth).replace("\n", "\n  ");
    }

    private static String rows(JsonNode table, int depth) {
        JsonNode rows = table.has("rows") ? table.get("rows") : table.path("cells");
        String lines = rows.valueStream()
                .map(row -> (row.has("cells") ? row.get("cells") : row)
                        .valueStream()
                        .map(cell -> words(cell, depth))
                        .collect(Collectors.joining(" | ", "| ", " |")))
                .collect(Collectors.joining("\n"));
        String caption = inline(table.path("caption"), depth);
        return caption.isBlank() ? lines : caption + "\n" + lines;
    }

    /** All words of a node: its own and those of what it holds. */
    private static String words(JsonNode node, int depth) {
        var parts = new ArrayList<String>();
        WORDS.forEach(field -> parts.add(inline(node.path(field), depth + 1)));
        INNER.forEach(field -> parts.add(blocks(node.path(field), depth + 1)));
        return parts.stream().filter(part -> !part.isBlank()).collect(Collectors.joining("\n"));
    }

    /** A text is a string, a list of texts, or an object around a text. */
    private static String inline(JsonNode text, int depth) {
        if (depth > DEEPEST) {
            return "";
        }
        if (text.isArray()) {
            return text.valueStream().map(part -> inline(part, depth + 1)).collect(Collectors.joining());
        }
        if (!text.isObject()) {
            return text.asText("");
        }
        String words = inline(text.has("text") ? text.get("text") : text.path("expression"), depth + 1);
        if (words.isEmpty()) {
            words = text.path("alternative_text").asText(text.path("emoji").asText(""));
        }
        String url = text.path("url").asText("");
        return url.isEmpty() || url.equals(words) ? words : words + " (" + url + ")";
    }
}
