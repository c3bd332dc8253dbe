package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a person has open in Slack beside the chat with the bot, as a line for the agent.
 *
 * @see <a href="https://docs.slack.dev/reference/events/app_context_changed">app_context_changed</a>
 */
final class AppContext {
    private static final int MAX_ENTITIES = 5;
    private static final String TYPES = "slack#/types/";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9.]{1,40}");
    private static final Pattern USER = Pattern.compile("[UW][A-Z0-9]{1,31}");

    private AppContext() {}

    /**
     * A change of what a person has open.
     *
     * @param line null where nothing is open
     */
    record Change(String user, @Nullable String line) {}

    /** The change that a payload reports; null for other payloads. The acting user may stand outside of the event. */
    static @Nullable Change change(JsonNode payload) {
        JsonNode event = payload.path("event");
        JsonNode thread = event.path("assistant_thread");
        return switch (event.path("type").asText()) {
            case "app_context_changed" ->
                change(
                        event.path("user")
                                .asText(payload.path("authorizations")
                                        .path(0)
                                        .path("user_id")
                                        .asText()),
                        line(event.path("context")));
            case "assistant_thread_started", "assistant_thread_context_changed" ->
                change(thread.path("user_id").asText(), ofAssistant(thread.path("context")));
            default -> null;
        };
    }

    private static @Nullable Change change(String user, @Nullable String line) {
        return USER.matcher(user).matches() ? new Change(user, line) : null;
    }

    private static @Nullable String ofAssistant(JsonNode context) {
        return id(context.path("channel_id"))
                .map(channel -> "[has open: channel " + channel + "]")
                .orElse(null);
    }

    /** The line of a context; null for an empty one. Malformed entities are left out. */
    static @Nullable String line(JsonNode context) {
        String entities = StreamSupport.stream(context.path("entities").spliterator(), false)
                .flatMap(entity -> entity(entity).stream())
                .distinct()
                .limit(MAX_ENTITIES)
                .collect(Collectors.joining(", "));
        return entities.isEmpty() ? null : "[has open: " + entities + "]";
    }

    private static Optional<String> entity(JsonNode entity) {
        JsonNode value = entity.path("value");
        String type = entity.path("type").asText();
        return switch (type.startsWith(TYPES) ? type.substring(TYPES.length()) : type) {
            case "channel_id" -> id(value).map(id -> "channel " + id);
            case "canvas_id" -> id(value).map(id -> "canvas " + id);
            case "list_id" -> id(value).map(id -> "list " + id);
            case "thread_ts" -> id(value).map(id -> "thread " + id);
            case "message_context" ->
                id(value.path("message_ts"))
                        .flatMap(time -> id(value.path("channel_id"))
                                .map(channel -> "message " + time + " in channel " + channel));
            default -> Optional.empty();
        };
    }

    private static Optional<String> id(JsonNode value) {
        return value.isTextual() && ID.matcher(value.asText()).matches()
                ? Optional.of(value.asText())
                : Optional.empty();
    }
}
