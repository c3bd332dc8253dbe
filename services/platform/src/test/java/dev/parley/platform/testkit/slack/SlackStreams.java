package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are streamed. White space at the start of a chunk is lost, and a heading that begins the message shows
 * nothing, as people report of Slack.
 */
final class SlackStreams {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_TITLE = 256;

    private final Map<String, Stream> streams = new LinkedHashMap<>();

    /** A stream: its text, cards by their ids, and why it ended, or null while it runs. */
    static final class Stream {
        private final StringBuilder text = new StringBuilder();
        private final Map<String, JsonNode> tasks = new LinkedHashMap<>();
        private ArrayNode blocks = JSON.createArrayNode();
        private @Nullable String ended;

        /** The blocks that the message shows. */
        ArrayNode shown() {
            ArrayNode shown = JSON.createArrayNode();
            if (!text.isEmpty()) {
                String visible =
                        text.charAt(0) == '#' ? text.substring(Math.max(0, text.indexOf("\n"))) : text.toString();
                shown.addObject().put("type", "markdown").put("text", visible);
            }
            tasks.values().forEach(shown::add);
            return shown.addAll(blocks);
        }
    }

    /** The error of a start; null where it begins. */
    @Nullable
    String start(String key, ObjectNode params) {
        if (params.path("thread_ts").asText().isEmpty()) {
            return "invalid_arguments";
        }
        if (params.path("recipient_team_id").asText().isEmpty()) {
            return "missing_recipient_team_id";
        }
        if (params.path("recipient_user_id").asText().isEmpty()) {
            return "missing_recipient_user_id";
        }
        var stream = new Stream();
        String refusal = add(stream, params);
        if (refusal == null) {
            streams.put(key, stream);
        }
        return refusal;
    }

    /** The error of a chunk; null where it is shown. */
    @Nullable
    String append(String key, ObjectNode params) {
        Stream stream = streams.get(key);
        return stream == null ? "message_not_found" : stream.ended != null ? stream.ended : add(stream, params);
    }

    @Nullable
    String stop(String key, ObjectNode params) {
        Stream stream = streams.get(key);
        if (stream == null || stream.ended != null) {
            return stream == null ? "message_not_in_streaming_state" : stream.ended;
        }
        JsonNode blocks = SlackRules.blocks(params);
        String refusal = SlackRules.refusalOf(blocks);
        if (refusal == null && (params.has("markdown_text") || params.has("chunks"))) {
            refusal = add(stream, params);
        }
        if (refusal == null) {
            blocks.forEach(stream.blocks::add);
            stream.ended = "message_not_in_streaming_state";
        }
        return refusal;
    }

    boolean isRunning(String key) {
        return streams.containsKey(key) && streams.get(key).ended == null;
    }

    boolean isStreamed(String key) {
        return streams.containsKey(key);
    }

    ArrayNode shown(String key) {
        return streams.get(key).shown();
    }

    /** All running streams end. */
    void endAll(String error) {
        streams.values().stream().filter(stream -> stream.ended == null).forEach(stream -> stream.ended = error);
    }

    private static @Nullable String add(Stream stream, ObjectNode params) {
        String text = params.path("markdown_text").asText("");
        JsonNode chunks = SlackRules.json(params, "chunks");
        if (text.isEmpty() == chunks.isEmpty()) {
            return text.isEmpty() ? "no_text" : "markdown_text_conflict";
        }
        for (JsonNode chunk : chunks) {
            boolean valid = switch (chunk.path("type").asText()) {
                case "markdown_text" -> !chunk.path("text").asText().isEmpty();
                case "task_update" ->
                    !chunk.path("id").asText().isEmpty()
                            && !chunk.path("title").asText().isEmpty()
                            && chunk.path("title").asText().length() <= MOST_TITLE
                            && chunk.path("details").asText().length() <= MOST_TITLE
                            && chunk.path("output").asText().length() <= MOST_TITLE
                            && areSources(chunk.path("sources"))
                            && chunk.path("status").asText().matches("pending|in_progress|complete|error");
                default -> false;
            };
            if (!valid) {
                return "invalid_chunks";
            }
        }
        if (stream.text.length() + text.length() > SlackRules.MOST_MARKDOWN) {
            return "msg_too_long";
        }
        stream.text.append(text.stripLeading());
        for (JsonNode chunk : chunks) {
            if (chunk.path("type").asText().equals("task_update")) {
                stream.tasks.put(chunk.path("id").asText(), chunk);
            } else {
                stream.text.append(chunk.path("text").asText().stripLeading());
            }
        }
        return null;
    }

    private static boolean areSources(JsonNode sources) {
        boolean valid = true;
        for (JsonNode source : sources) {
            valid &= source.path("type").asText().equals("url")
                    && source.path("url").asText().startsWith("http")
                    && !source.path("text").asText().isEmpty();
        }
        return valid;
    }
}
