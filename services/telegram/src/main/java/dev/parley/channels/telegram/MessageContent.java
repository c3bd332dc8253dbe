package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a person sees of a message, as text: its text with the addresses behind its words, and a line in brackets for
 * content that is not text. A message that a person sent is never without words: content of a kind that is unknown here
 * is named.
 *
 * @see <a href="https://core.telegram.org/bots/api#message">its reference</a>
 */
final class MessageContent {
    /** Content that is described, by its field in a message. */
    private static final Map<String, Function<JsonNode, String>> DESCRIPTIONS = descriptions();

    /** Files, with the word for one whose content is not shown. */
    private static final Map<String, String> FILES = files();

    /** Fields of messages that nobody wrote: they report something that happened in the chat. */
    private static final Set<String> SERVICE = Set.of(
            "new_chat_members",
            "left_chat_member",
            "new_chat_title",
            "new_chat_photo",
            "delete_chat_photo",
            "group_chat_created",
            "supergroup_chat_created",
            "channel_chat_created",
            "message_auto_delete_timer_changed",
            "pinned_message",
            "connected_website",
            "write_access_allowed",
            "proximity_alert_triggered",
            "boost_added",
            "chat_background_set",
            "checklist_tasks_done",
            "checklist_tasks_added",
            "direct_message_price_changed",
            "paid_message_price_changed",
            "successful_payment",
            "refunded_payment",
            "giveaway_created",
            "giveaway_completed",
            "video_chat_scheduled",
            "video_chat_started",
            "video_chat_ended",
            "video_chat_participants_invited");

    private static final List<String> SERVICE_KINDS =
            List.of("forum_topic_", "general_forum_topic_", "suggested_post_", "chat_owner_");

    /** Fields that say something about a message and are no content. */
    private static final Set<String> METADATA = Set.of(
            "message_id",
            "ephemeral_message_id",
            "message_thread_id",
            "direct_messages_topic",
            "from",
            "sender_chat",
            "sender_boost_count",
            "sender_business_bot",
            "sender_tag",
            "date",
            "edit_date",
            "business_connection_id",
            "chat",
            "forward_origin",
            "is_topic_message",
            "is_automatic_forward",
            "reply_to_message",
            "external_reply",
            "origin",
            "quote",
            "reply_to_story",
            "reply_to_checklist_task_id",
            "via_bot",
            "has_protected_content",
            "is_from_offline",
            "is_paid_post",
            "media_group_id",
            "author_signature",
            "paid_star_count",
            "entities",
            "caption_entities",
            "link_preview_options",
            "suggested_post_info",
            "effect_id",
            "show_caption_above_media",
            "has_media_spoiler",
            "reply_markup",
            "text",
            "caption");

    private MessageContent() {}

    /** Part of a text that means something; offsets are UTF-16 units. */
    record Entity(String type, int from, int to, JsonNode node) {}

    /** A text with its entities, ordered by their beginnings. */
    record EntityText(String text, List<Entity> entities) {}

    /** Whether nobody wrote the message. */
    static boolean isService(JsonNode message) {
        return names(message).stream()
                .anyMatch(
                        name -> SERVICE.contains(name) || SERVICE_KINDS.stream().anyMatch(name::startsWith));
    }

    /** The words of a message; blank if it has files alone, or is a service message. */
    static EntityText of(JsonNode message) {
        EntityText written = written(message);
        return description(message)
                .map(line -> new EntityText(
                        (written.text().isEmpty() ? "" : written.text() + "\n") + line, written.entities()))
                .orElse(written);
    }

    /** What a message is about, in a few words: its text, its content or the kinds of its files. */
    static String summary(JsonNode message) {
        String text = of(message).text();
        if (!text.isBlank()) {
            return text;
        }
        return FILES.keySet().stream()
                .filter(message::has)
                .findFirst()
                .map(field -> file(field, message.get(field)))
                .orElse("");
    }

    private static String file(String field, JsonNode file) {
        String name = file.path("file_name").asText("");
        return "[" + FILES.get(field) + (name.isEmpty() ? "" : " " + name) + "]";
    }

    private static Optional<String> description(JsonNode message) {
        for (var description : DESCRIPTIONS.entrySet()) {
            if (message.has(description.getKey())) {
                return Optional.of("[" + description.getValue().apply(message.get(description.getKey())) + "]");
            }
        }
        if (message.has("rich_message")) {
            return Optional.of(RichText.of(message.get("rich_message")));
        }
        return unknown(message);
    }

    private static Optional<String> unknown(JsonNode message) {
        boolean hasContent = message.has("text")
                || message.has("caption")
                || FILES.keySet().stream().anyMatch(message::has)
                || isService(message);
        return hasContent
                ? Optional.empty()
                : names(message).stream()
                        .filter(name -> !METADATA.contains(name) && name.matches("\\w{1,40}"))
                        .findFirst()
                        .map(name -> "[a message whose content cannot be read here: " + name + "]");
    }

    private static List<String> names(JsonNode message) {
        var names = new ArrayList<String>();
        message.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The text or caption, with the address behind each link. */
    private static EntityText written(JsonNode message) {
        String text = message.path("text").asText(message.path("caption").asText());
        JsonNode nodes = message.has("entities") ? message.get("entities") : message.path("caption_entities");
        var entities = new ArrayList<Entity>();
        for (JsonNode node : nodes) {
            int from = node.path("offset").asInt(-1);
            int to = from + node.path("length").asInt(0);
            if (from >= 0 && from < to && to <= text.length()) {
                entities.add(new Entity(node.path("type").asText(), from, to, node));
            }
        }
        return withAddresses(text, entities);
    }

    private static EntityText withAddresses(String text, List<Entity> entities) {
        List<Entity> links = entities.stream()
                .filter(entity -> isHiddenLink(entity, text))
                .sorted(Comparator.comparingInt(Entity::to))
                .toList();
        var shown = new StringBuilder(text);
        for (Entity link : links.reversed()) {
            shown.insert(link.to(), address(link));
        }
        List<Entity> moved = entities.stream()
                .map(entity -> new Entity(
                        entity.type(),
                        entity.from() + inserted(links, entity.from()),
                        entity.to() + inserted(links, entity.to() - 1),
                        entity.node()))
                .sorted(Comparator.comparingInt(Entity::from))
                .toList();
        return new EntityText(shown.toString(), moved);
    }

    private static boolean isHiddenLink(Entity entity, String text) {
        String url = entity.node().path("url").asText("");
        String words = text.substring(entity.from(), entity.to());
        return entity.type().equals("text_link")
                && !url.isBlank()
                && !url.equals(words)
                && !url.replaceFirst("^\\w+://", "").replaceFirst("/$", "").equals(words);
    }

    private static String address(Entity link) {
        return " (" + link.node().path("url").asText() + ")";
    }

    /** The number of characters inserted at or before a position. */
    private static int inserted(List<Entity> links, int position) {
        return links.stream()
                .filter(link -> link.to() <= position)
                .mapToInt(link -> address(link).length())
                .sum();
    }

    private static Map<String, String> files() {
        var files = new LinkedHashMap<String, String>();
        files.put("photo", "photo");
        files.put("voice", "voice message");
        files.put("audio", "audio");
        files.put("video_note", "video message");
        files.put("video", "video");
        files.put("animation", "animation");
        files.put("live_photo", "live photo");
        files.put("document", "file");
        return files;
    }

    private static Map<String, Function<JsonNode, String>> descriptions() {
        var described = new LinkedHashMap<String, Function<JsonNode, String>>();
        described.put(
                "venue",
                venue -> "place: %s, %s, %s"
                        .formatted(word(venue, "title"), word(venue, "address"), point(venue.path("location"))));
        described.put("location", location -> "location: " + point(location));
        described.put("contact", contact -> "contact: %s, %s".formatted(name(contact), word(contact, "phone_number")));
        described.put("sticker", sticker -> "sticker " + word(sticker, "emoji"));
        described.put(
                "dice",
                dice -> "dice %s: %d"
                        .formatted(word(dice, "emoji"), dice.path("value").asInt()));
        described.put("poll", MessageContent::poll);
        described.put("checklist", MessageContent::checklist);
        described.put("game", game -> "game: %s. %s".formatted(word(game, "title"), word(game, "description")));
        described.put("story", story -> "a story of " + chat(story.path("chat")));
        described.put(
                "invoice",
                invoice -> "invoice: %s. %s".formatted(word(invoice, "title"), word(invoice, "description")));
        described.put("paid_media", _ -> "media for which the sender asks to be paid");
        described.put("giveaway", _ -> "a giveaway");
        described.put("giveaway_winners", _ -> "the winners of a giveaway");
        described.put("gift", _ -> "a gift");
        described.put("unique_gift", _ -> "a gift");
        described.put("web_app_data", data -> "from the web app: " + word(data, "data"));
        described.put("users_shared", shared -> "shared users: " + ids(shared.path("users"), "user_id"));
        described.put("chat_shared", shared -> "shared chat: " + word(shared, "chat_id"));
        described.put("passport_data", _ -> "documents of Telegram Passport");
        return described;
    }

    private static String poll(JsonNode poll) {
        String options = lines(poll.path("options"), option -> "- " + word(option, "text"));
        return "poll: " + word(poll, "question") + options;
    }

    private static String checklist(JsonNode list) {
        return "checklist: "
                + word(list, "title")
                + lines(list.path("tasks"), task -> (isDone(task) ? "- [x] " : "- [ ] ") + word(task, "text"));
    }

    private static boolean isDone(JsonNode task) {
        return task.path("completion_date").asLong() > 0 || task.has("completed_by_user");
    }

    private static String lines(JsonNode items, Function<JsonNode, String> line) {
        return items.valueStream().map(item -> "\n" + line.apply(item)).collect(Collectors.joining());
    }

    private static String ids(JsonNode items, String field) {
        return items.valueStream().map(item -> word(item, field)).collect(Collectors.joining(", "));
    }

    private static String word(JsonNode node, String field) {
        return node.path(field).asText();
    }

    private static String point(JsonNode location) {
        return word(location, "latitude") + ", " + word(location, "longitude");
    }

    /** First and last name of a person; empty if unknown. */
    static String name(JsonNode person) {
        return (word(person, "first_name") + " " + word(person, "last_name")).strip();
    }

    private static String chat(JsonNode chat) {
        return chat.path("title").asText(name(chat).isEmpty() ? "somebody" : name(chat));
    }
}
