package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Messages of components ("V2"): a table is a box, its rows divided by lines, which a phone shows whole. A message can
 * become one by an edit, and stays one.
 *
 * @see <a href="https://docs.discord.com/developers/components/reference">components</a>
 */
final class DiscordComponents {
    /** Marks in Discord's markup around a table, and between its rows; no text of people or models has them. */
    static final char TABLE = '\u001D';

    static final char ROW = '\u001E';
    private static final Pattern MARKS = Pattern.compile("[" + TABLE + ROW + "]");

    private static final int FLAG = 1 << 15;
    private static final int CONTAINER = 17;
    private static final int SEPARATOR = 14;
    private static final int TEXT_DISPLAY = 10;

    /** In a message, with those in others. */
    private static final int MAX_COMPONENTS = 40;
    /** Characters of all texts together. */
    private static final int MAX_TEXT = 4_000;
    /** Discord fails above 10,170 bytes in UTF-8. */
    private static final int MAX_BYTES = 10_000;

    private DiscordComponents() {}

    /** Whether a message is one of components. */
    static boolean is(JsonNode message) {
        return (message.path("flags").asInt() & FLAG) != 0;
    }

    static boolean hasTable(String markup) {
        return markup.indexOf(TABLE) >= 0;
    }

    /** The markup as one text. */
    static String withoutMarks(String markup) {
        return MARKS.matcher(markup).replaceAll("");
    }

    /** The edit into a text alone. */
    static ObjectNode text(String markup) {
        return edit(message(display(markup)));
    }

    /**
     * A message; empty where Discord would not take it.
     *
     * @param rows of buttons, below the text
     */
    static Optional<ObjectNode> message(String markup, ArrayNode rows) {
        return Stream.of(true, false)
                .map(isDivided -> layout(markup, isDivided).addAll(rows))
                .filter(DiscordComponents::fits)
                .findFirst()
                .map(DiscordComponents::message);
    }

    private static ObjectNode message(JsonNode components) {
        ObjectNode message =
                DiscordMessages.withoutMentions(DiscordApi.json()).put("flags", FLAG | DiscordMessages.NO_PREVIEWS);
        message.set(
                "components",
                components.isArray() ? components : DiscordApi.list().add(components));
        return message;
    }

    /** The message as an edit, of one that may have a text. */
    static ObjectNode edit(ObjectNode message) {
        message.putNull("content").putArray("embeds");
        return message;
    }

    private static ArrayNode layout(String markup, boolean isDivided) {
        ArrayNode components = DiscordApi.list();
        String[] parts = markup.split(String.valueOf(TABLE), -1);
        for (int i = 0; i < parts.length; i++) {
            boolean isTable = i % 2 == 1;
            List<JsonNode> texts = texts(isTable && isDivided ? parts[i] : withoutMarks(parts[i]));
            if (isTable && !texts.isEmpty()) {
                box(texts, components.addObject().put("type", CONTAINER).putArray("components"));
            } else {
                texts.forEach(components::add);
            }
        }
        return components;
    }

    private static List<JsonNode> texts(String part) {
        return Stream.of(part.split(String.valueOf(ROW)))
                .filter(row -> !row.isBlank())
                .<JsonNode>map(DiscordComponents::display)
                .toList();
    }

    private static void box(List<JsonNode> rows, ArrayNode box) {
        for (JsonNode row : rows) {
            if (!box.isEmpty()) {
                box.addObject().put("type", SEPARATOR);
            }
            box.add(row);
        }
    }

    private static ObjectNode display(String text) {
        return DiscordApi.json()
                .put("type", TEXT_DISPLAY)
                .put("content", withoutMarks(text).strip());
    }

    private static boolean fits(ArrayNode components) {
        int text = components.findValuesAsText("content").stream()
                .mapToInt(String::length)
                .sum();
        return components.findValues("type").size() <= MAX_COMPONENTS
                && text <= MAX_TEXT
                && components.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    }
}
