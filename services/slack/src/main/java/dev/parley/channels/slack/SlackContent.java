package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.contract.ClippedText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a person sees of a Slack message besides its text: forwarded messages, files, and the texts of blocks and
 * attachments of messages without a text. A message that a person sent is never without words.
 *
 * @see <a href="https://docs.slack.dev/reference/events/message">messages</a>
 */
final class SlackContent {
    private static final int MAX_FORWARDED = 4_000;
    private static final int DEEPEST = 16;

    private SlackContent() {}

    /**
     * The text of a message; if it has none, that of its blocks or attachments.
     *
     * @param required whether the message has nothing else: then a line says so
     */
    static String text(JsonNode message, String text, boolean required) {
        if (!text.isBlank() || !required || forwarded(message) != null) {
            return text;
        }
        String shown = Stream.of(
                        Stream.of(words(message.path("blocks"), 0)),
                        elements(message.path("attachments")).map(SlackContent::preview))
                .flatMap(lines -> lines)
                .filter(line -> !line.isBlank())
                .collect(Collectors.joining("\n"));
        return shown.isBlank() ? Event.UNREADABLE : shown;
    }

    /** The forwarded messages, as text; null for none. */
    static @Nullable String forwarded(JsonNode message) {
        String lines = elements(message.path("attachments"))
                .filter(SlackContent::isForwarded)
                .map(shared -> {
                    String words = ClippedText.of(preview(shared), MAX_FORWARDED);
                    String author = word(shared, "author_name", word(shared, "author_subname", "somebody"));
                    return "[forwarded from %s] %s".formatted(author, words.isBlank() ? what(shared) : words);
                })
                .collect(Collectors.joining("\n"));
        return lines.isEmpty() ? null : lines;
    }

    /** An unfurled link to a message is the work of Slack, not of the author, unless it was shared. */
    private static boolean isForwarded(JsonNode attachment) {
        return attachment.path("is_share").asBoolean();
    }

    private static String what(JsonNode shared) {
        return shared.path("files").isEmpty() ? Event.UNREADABLE : "[files]";
    }

    private static String preview(JsonNode attachment) {
        String text = word(attachment, "text", "");
        if (text.isBlank()) {
            text = words(attachment.path("message_blocks"), 0);
        }
        return SlackText.toPlainText(text.isBlank() ? word(attachment, "fallback", "") : text);
    }

    /** The texts of blocks: each {@code text}, and what stands in their elements. */
    private static String words(JsonNode node, int depth) {
        if (depth > DEEPEST) {
            return "";
        }
        if (node.isArray()) {
            return elements(node)
                    .map(part -> words(part, depth + 1))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(" "));
        }
        if (!node.isObject()) {
            return "";
        }
        JsonNode text = node.path("text");
        String own = text.isTextual() ? text.asText() : words(text, depth + 1);
        String url = word(node, "url", "");
        String inner = Stream.of("title", "message", "elements", "fields", "blocks", "rows")
                .map(field ->
                        node.path(field).isTextual() ? node.path(field).asText() : words(node.path(field), depth + 1))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        return Stream.of(own, inner, url).filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
    }

    /** The files of a message and of those that it forwards. */
    static List<Attachment> files(JsonNode message) {
        var found = new ArrayList<Attachment>();
        message.path("files").forEach(file -> found.add(file(file)));
        elements(message.path("attachments"))
                .filter(SlackContent::isForwarded)
                .forEach(shared -> shared.path("files").forEach(file -> found.add(file(file))));
        return found;
    }

    private static Attachment file(JsonNode file) {
        return Attachment.of(
                word(file, "url_private_download", word(file, "url_private", "")),
                word(file, "name", "file"),
                word(file, "mimetype", ""),
                "application/octet-stream",
                file.path("size").asLong(-1));
    }

    private static String word(JsonNode node, String field, String fallback) {
        return node.path(field).asText(fallback);
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
