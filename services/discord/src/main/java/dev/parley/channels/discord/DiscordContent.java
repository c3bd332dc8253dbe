package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.contract.ClippedText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a person sees of a Discord message: its text, and a line in brackets for stickers and polls; the texts and files
 * of the messages that it forwards.
 *
 * @see <a href="https://docs.discord.com/developers/resources/message#message-object">messages</a>
 */
final class DiscordContent {
    private static final int MAX_FORWARDED = 4_000;
    private static final int DEEPEST = 8;

    private DiscordContent() {}

    /** The words of a message; blank if it has none, or if the bot may not read them. */
    static String text(JsonNode message) {
        return Stream.of(
                        Stream.of(message.path("content").asText("")),
                        message.path("sticker_items").valueStream().map(sticker -> "[sticker " + name(sticker) + "]"),
                        poll(message.path("poll")))
                .flatMap(lines -> lines)
                .filter(line -> !line.isBlank())
                .collect(Collectors.joining("\n"));
    }

    /** What a message is about, in a few words: its text, or its files. */
    static String summary(JsonNode message) {
        String text = text(message);
        return text.isBlank() ? texts(message, 0) + files(message) : text;
    }

    private static String files(JsonNode message) {
        return message.path("attachments")
                .valueStream()
                .map(file -> "[file " + file.path("filename").asText("") + "]")
                .collect(Collectors.joining(" "));
    }

    private static Stream<String> poll(JsonNode poll) {
        return poll.isObject()
                ? Stream.of(poll.path("answers")
                        .valueStream()
                        .map(answer ->
                                "\n- " + answer.path("poll_media").path("text").asText(""))
                        .collect(Collectors.joining(
                                "",
                                "[poll: " + poll.path("question").path("text").asText(""),
                                "]")))
                : Stream.empty();
    }

    private static String name(JsonNode sticker) {
        return sticker.path("name").asText("");
    }

    /** The forwarded messages, as text; null for none. Discord does not say who wrote them. */
    static @Nullable String forwarded(JsonNode message) {
        String lines = message.path("message_snapshots")
                .valueStream()
                .map(snapshot -> snapshot.path("message"))
                .map(original -> "[forwarded] " + ClippedText.of(readable(original), MAX_FORWARDED))
                .collect(Collectors.joining("\n"));
        return lines.isEmpty() ? null : lines;
    }

    private static String readable(JsonNode original) {
        String summary = summary(original);
        return summary.isBlank() ? Event.UNREADABLE : summary;
    }

    /** The texts of embeds and components, which messages of bots have in place of a text. */
    private static String texts(JsonNode node, int depth) {
        if (depth > DEEPEST) {
            return "";
        }
        Stream<String> own = Stream.of("title", "description", "content", "name", "value", "label")
                .map(field -> node.path(field).asText(""));
        Stream<String> inner = Stream.of("embeds", "fields", "components")
                .flatMap(field -> node.path(field).valueStream())
                .map(part -> texts(part, depth + 1));
        return Stream.concat(own, inner).filter(text -> !text.isBlank()).collect(Collectors.joining("\n"));
    }

    /** The files of a message and of those that it forwards. */
    static List<Attachment> attachments(JsonNode message) {
        var found = new ArrayList<Attachment>();
        message.path("attachments").forEach(file -> found.add(attachment(file)));
        message.path("message_snapshots")
                .forEach(snapshot ->
                        snapshot.path("message").path("attachments").forEach(file -> found.add(attachment(file))));
        return found;
    }

    private static Attachment attachment(JsonNode file) {
        return Attachment.of(
                file.path("url").asText(),
                file.path("filename").asText("file"),
                file.path("content_type").asText("").replaceAll(";.*", "").strip(),
                "application/octet-stream",
                file.path("size").asLong(-1));
    }
}
