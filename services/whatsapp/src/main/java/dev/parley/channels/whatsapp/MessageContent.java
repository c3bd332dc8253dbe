package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a person sees of a WhatsApp message: its text, its file, and in words whatever else it is. A message that a
 * person sent is never without words.
 *
 * @see <a
 *     href="https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages">messages</a>
 */
final class MessageContent {
    /** The endings of names of files that have none. */
    private static final Map<String, String> ENDINGS = Map.of(
            "image/jpeg", ".jpg",
            "image/png", ".png",
            "image/webp", ".webp",
            "audio/ogg", ".ogg",
            "audio/mpeg", ".mp3",
            "audio/mp4", ".m4a",
            "audio/aac", ".aac",
            "audio/amr", ".amr",
            "video/mp4", ".mp4",
            "video/3gpp", ".3gp");

    private MessageContent() {}

    /** The words of a message; empty if it has a file alone. */
    static String text(JsonNode message) {
        String type = message.path("type").asText();
        JsonNode content = message.path(type);
        return switch (type) {
            case "text" -> orUnreadable(word(content, "body"));
            case "image", "video", "document", "audio" -> word(content, "caption");
            case "sticker" -> "[sticker]";
            case "location" -> location(content);
            case "contacts" ->
                content.valueStream().map(MessageContent::contact).collect(Collectors.joining("\n"));
            case "button" -> orUnreadable(word(content, "text"));
            case "interactive" -> form(content);
            case "order" -> order(content);
            case "system" -> "[" + word(content, "body") + "]";
            default -> unsupported(message);
        };
    }

    private static String orUnreadable(String text) {
        return text.isBlank() ? Event.UNREADABLE : text;
    }

    /** The file of a message. */
    static List<Attachment> files(JsonNode message) {
        String type = message.path("type").asText();
        JsonNode file = message.path(type);
        return switch (type) {
            case "image", "video", "audio", "document", "sticker" ->
                List.of(Attachment.of(
                        word(file, "id"), name(type, file), mimeType(file), "application/octet-stream", -1));
            default -> List.of();
        };
    }

    private static String name(String type, JsonNode file) {
        String name = word(file, "filename");
        String kind = file.path("voice").asBoolean() ? "voice" : type;
        return name.isBlank() ? kind + ENDINGS.getOrDefault(mimeType(file), "") : name;
    }

    /** Without parameters, as in {@code audio/ogg; codecs=opus}. */
    private static String mimeType(JsonNode file) {
        return word(file, "mime_type").replaceFirst(";.*", "").strip();
    }

    /** Where the message comes from or what it is about; null for nothing special. */
    static @Nullable String context(JsonNode message) {
        JsonNode context = message.path("context");
        if (context.path("forwarded").asBoolean()
                || context.path("frequently_forwarded").asBoolean()) {
            return "[forwarded]";
        }
        String product = word(context.path("referred_product"), "product_retailer_id");
        return product.isEmpty() ? null : "[about the product " + product + "]";
    }

    private static String location(JsonNode location) {
        String place = Stream.of("name", "address")
                .map(field -> word(location, field))
                .filter(text -> !text.isBlank())
                .map(text -> text + ", ")
                .collect(Collectors.joining());
        return "[location: %s%s, %s]".formatted(place, word(location, "latitude"), word(location, "longitude"));
    }

    private static String contact(JsonNode contact) {
        Stream<String> reached = Stream.concat(
                contact.path("phones").valueStream().map(phone -> word(phone, "phone")),
                contact.path("emails").valueStream().map(email -> word(email, "email")));
        return Stream.concat(Stream.of(word(contact.path("name"), "formatted_name")), reached)
                .filter(text -> !text.isBlank())
                .collect(Collectors.joining(", ", "[contact: ", "]"));
    }

    /** The answers of a form (flow). Presses are events of their own. */
    private static String form(JsonNode interactive) {
        String answers = word(interactive.path("nfm_reply"), "response_json");
        return answers.isBlank() ? Event.UNREADABLE : "[form: " + answers + "]";
    }

    private static String order(JsonNode order) {
        String items = order.path("product_items")
                .valueStream()
                .map(item -> "%s × %s at %s %s"
                        .formatted(
                                word(item, "quantity"),
                                word(item, "product_retailer_id"),
                                word(item, "item_price"),
                                word(item, "currency")))
                .collect(Collectors.joining(", "));
        String note = word(order, "text");
        return "[order: " + items + "]" + (note.isBlank() ? "" : "\n" + note);
    }

    private static String unsupported(JsonNode message) {
        Optional<String> reason = message.path("errors")
                .valueStream()
                .map(error -> word(error, "title"))
                .filter(title -> !title.isBlank())
                .findFirst();
        return reason.map(title -> "[a message whose content cannot be read here: " + title + "]")
                .orElse(Event.UNREADABLE);
    }

    private static String word(JsonNode node, String field) {
        return node.path(field).asText("");
    }
}
