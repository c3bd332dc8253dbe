package dev.parley.platform.testkit.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.platform.testkit.WebSocketDouble.Response;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The rules of streams: in private chats, a chunk a second, for two minutes, until the user stops them. */
final class TeamsStreams {
    private static final Duration LIFETIME = Duration.ofMinutes(2);

    private final Map<String, TeamsMessage> messages;
    private final Supplier<String> ids;
    private final Consumer<String> violations;
    private final Map<String, Stream> streams = new HashMap<>();
    private boolean patient;

    /** @param stopped whether the user pressed the stop button */
    private record Stream(int sequence, long begunAt, long lastAt, boolean stopped, boolean ended) {}

    TeamsStreams(Map<String, TeamsMessage> messages, Supplier<String> ids, Consumer<String> violations) {
        this.messages = messages;
        this.ids = ids;
        this.violations = violations;
    }

    /** Takes chunks at any rate from now on. */
    void isPatient() {
        patient = true;
    }

    /** Whether a message is still a stream. */
    boolean isLive(String key) {
        Stream stream = streams.get(key);
        return stream != null && !stream.ended() && !isOver(stream);
    }

    /** The user stops the streams of a conversation. */
    void stop(String conversation) {
        streams.replaceAll((key, stream) -> new Stream(
                stream.sequence(),
                stream.begunAt(),
                stream.lastAt(),
                stream.stopped() || key.startsWith(conversation + " "),
                stream.ended()));
    }

    void expire() {
        streams.replaceAll((_, stream) -> new Stream(
                stream.sequence(),
                stream.begunAt() - LIFETIME.toNanos(),
                stream.lastAt(),
                stream.stopped(),
                stream.ended()));
    }

    /** The entity of a chunk; a missing node for other activities. */
    static JsonNode info(JsonNode activity) {
        for (JsonNode entity : activity.path("entities")) {
            if (entity.path("type").asText().equals("streaminfo")) {
                return entity;
            }
        }
        return MissingNode.getInstance();
    }

    private static boolean isOver(Stream stream) {
        return stream.stopped() || System.nanoTime() - stream.begunAt() > LIFETIME.toNanos();
    }

    /** Takes a chunk, or the message that ends a stream. */
    Response take(String conversation, JsonNode activity, JsonNode info) {
        if (!conversation.startsWith("a:")) {
            return notAllowed("Content stream is not allowed");
        }
        String id = info.path("streamId").asText("");
        boolean isFinal = info.path("streamType").asText().equals("final");
        if (id.isEmpty() && !isFinal) {
            return begin(conversation, activity, info);
        }
        String key = conversation + " " + id;
        Stream stream = streams.get(key);
        if (stream == null) {
            return FakeTeams.refused(400, "BadRequest", "unknown stream", null);
        }
        if (stream.ended()) {
            return notAllowed("Content stream is not allowed on an already completed streamed message");
        }
        if (stream.stopped()) {
            return notAllowed("Content stream was canceled by user");
        }
        if (isOver(stream)) {
            return notAllowed("Content stream finished due to exceeded streaming time");
        }
        return grow(conversation, activity, info, stream, isFinal);
    }

    private Response begin(String conversation, JsonNode activity, JsonNode info) {
        if (info.path("streamSequence").asInt() != 1
                || activity.path("text").asText().isEmpty()) {
            return FakeTeams.refused(400, "BadRequest", "a stream begins with the sequence 1 and a text", null);
        }
        String id = ids.get();
        long now = System.nanoTime();
        streams.put(conversation + " " + id, new Stream(1, now, now, false, false));
        messages.put(conversation + " " + id, new TeamsMessage(conversation, id, activity, 0));
        return FakeTeams.posted(id);
    }

    private Response grow(String conversation, JsonNode activity, JsonNode info, Stream stream, boolean isFinal) {
        long now = System.nanoTime();
        String type = activity.path("type").asText();
        int sequence = info.path("streamSequence").asInt(0);
        if (isFinal ? sequence != 0 || !type.equals("message") : !type.equals("typing")) {
            return FakeTeams.refused(
                    400, "BadRequest", "a final message has no sequence, and chunks are typing activities", null);
        }
        if (!isFinal && sequence != stream.sequence() + 1) {
            return FakeTeams.refused(202, "ContentStreamSequenceOrderPreConditionFailed", "out of order", null);
        }
        if (!patient && !isFinal && now - stream.lastAt() < TimeUnit.MILLISECONDS.toNanos(900)) {
            violations.accept("more than a chunk a second");
            return FakeTeams.refused(429, "TooManyRequests", "API calls quota exceeded", "1");
        }
        String id = info.path("streamId").asText();
        String key = conversation + " " + id;
        streams.put(key, new Stream(sequence, stream.begunAt(), now, false, isFinal));
        int changes = messages.get(key).changes() + 1;
        messages.put(key, new TeamsMessage(conversation, id, activity, changes));
        return isFinal ? FakeTeams.posted(id) : Response.json(202, "{}");
    }

    static Response notAllowed(String message) {
        return FakeTeams.refused(403, "ContentStreamNotAllowed", message, null);
    }
}
