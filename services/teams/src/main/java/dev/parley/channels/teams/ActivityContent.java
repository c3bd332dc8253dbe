package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.InboundMessage;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a message has besides its text: files of private chats, pictures, forwarded messages, cards. The copy of the
 * text in HTML is left out, but for the message that it quotes.
 */
final class ActivityContent {
    private static final String FILE = "application/vnd.microsoft.teams.file.download.info";
    private static final String HTML = "text/html";
    private static final String REFERENCE = "messageReference";
    private static final String BYTES = "application/octet-stream";
    private static final int MAX_FORWARDED = 4_000;

    private static final Pattern QUOTE = Pattern.compile(
            "<blockquote[^>]{0,500}itemtype=\"http://schema\\.skype\\.com/Reply\"[^>]{0,500}itemid=\"([^\"]{1,126})\"");

    private ActivityContent() {}

    static List<Attachment> files(JsonNode activity) {
        var files = new ArrayList<Attachment>();
        for (JsonNode attachment : activity.path("attachments")) {
            String type = text(attachment, "contentType");
            if (type.equals(FILE)) {
                String name = name(attachment, "file");
                String guessed = Objects.requireNonNullElse(URLConnection.guessContentTypeFromName(name), BYTES);
                files.add(Attachment.of(text(attachment.path("content"), "downloadUrl"), name, guessed, BYTES, -1));
            } else if (type.startsWith("image/")
                    && !text(attachment, "contentUrl").isEmpty()) {
                files.add(Attachment.of(text(attachment, "contentUrl"), name(attachment, "picture"), type, BYTES, -1));
            }
        }
        return files;
    }

    private static String name(JsonNode attachment, String fallback) {
        String name = text(attachment, "name");
        return name.isBlank() ? fallback : name;
    }

    /** Forwarded messages and cards, as text; null for none. */
    static @Nullable String forwarded(JsonNode activity) {
        String lines = StreamSupport.stream(activity.path("attachments").spliterator(), false)
                .map(ActivityContent::line)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
        return lines.isEmpty() ? null : lines;
    }

    private static String line(JsonNode attachment) {
        String type = text(attachment, "contentType");
        JsonNode content = attachment.path("content");
        if (type.equals(REFERENCE)) {
            String author = text(content.path("messageSender").path("user"), "displayName");
            String words = ClippedText.of(text(content, "messagePreview"), MAX_FORWARDED);
            return "[forwarded from %s] %s"
                    .formatted(author.isEmpty() ? "somebody" : author, words.isBlank() ? Event.UNREADABLE : words);
        }
        boolean isShown = type.equals(FILE) || type.equals(HTML) || type.startsWith("image/") || type.isEmpty();
        return isShown ? "" : "[attachment: %s]".formatted(name(attachment, ClippedText.within(type, 100)));
    }

    /** The message that a message quotes, or null. */
    static @Nullable String quoted(JsonNode activity) {
        for (JsonNode attachment : activity.path("attachments")) {
            Matcher quote = QUOTE.matcher(text(attachment, "content"));
            if (text(attachment, "contentType").equals(HTML) && quote.find()) {
                return InboundMessage.REFERENCE.matcher(quote.group(1)).matches() ? quote.group(1) : null;
            }
        }
        String answered = text(activity, "replyToId");
        return answered.isEmpty() ? null : answered;
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }
}
