package dev.parley.memory.recall;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.domain.memory.TimeSpan;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer as JSON, in as many tokens as there is room for: {@code {"memories":[…]}}. What counts are the tokens of all of it, not
 * only of its texts. What has no room is passed over, and what comes after it may have.
 */
final class Payload {
    /** Of an answer with nothing in it, with room to spare. */
    static final int FEWEST_TOKENS = 10;

    /** No hit has fewer tokens: not even its names fit then. */
    private static final int SMALLEST = 25;

    /** After so many that had no room nobody looks for a smaller one. */
    private static final int MOST_MISSES = 50;

    private static final String HEAD = "{\"memories\":[";
    private static final String TAIL = "]}";
    private static final JsonFactory JSON = new JsonFactory();

    private final List<Hit> hits = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();

    private Payload() {}

    record Packed(List<Hit> hits, String json, int tokens) {}

    static Packed pack(List<Hit> ranked, int maxTokens) {
        Payload payload = new Payload();
        payload.fill(ranked, maxTokens);
        String json = payload.json();
        int tokens = Tokens.of(json);
        // Tokens of parts need not add up to those of the whole.
        while (tokens > maxTokens) {
            payload.hits.removeLast();
            payload.texts.removeLast();
            json = payload.json();
            tokens = Tokens.of(json);
        }
        return new Packed(List.copyOf(payload.hits), json, tokens);
    }

    private void fill(List<Hit> ranked, int maxTokens) {
        int left = maxTokens - FEWEST_TOKENS;
        int misses = 0;
        for (Hit hit : ranked) {
            if (left < SMALLEST || misses == MOST_MISSES) {
                return;
            }
            String text = json(hit);
            int tokens = Tokens.of(text) + 1;
            if (tokens <= left) {
                hits.add(hit);
                texts.add(text);
                left -= tokens;
            } else {
                misses++;
            }
        }
    }

    private String json() {
        return HEAD + String.join(",", texts) + TAIL;
    }

    private static String json(Hit hit) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("id", hit.id());
            json.writeStringField("kind", hit.kind().code());
            write(json, "type", hit.type() == null ? null : hit.type().code());
            json.writeStringField("text", hit.text());
            write(json, "context", hit.context());
            write(json, "source", hit.source());
            TimeSpan occurred = hit.occurred();
            if (occurred != null) {
                json.writeStringField("occurredFrom", occurred.from().toString());
                json.writeStringField("occurredTo", occurred.to().toString());
            }
            write(
                    json,
                    "mentionedAt",
                    hit.mentionedAt() == null ? null : hit.mentionedAt().toString());
            if (!hit.entities().isEmpty()) {
                json.writeArrayFieldStart("entities");
                for (String entity : hit.entities()) {
                    json.writeString(entity);
                }
                json.writeEndArray();
            }
            json.writeNumberField("score", Math.round(hit.score() * 10_000) / 10_000.0);
            json.writeObjectFieldStart("arms");
            for (Map.Entry<Arm, Integer> arm : new TreeMap<>(hit.arms()).entrySet()) {
                json.writeNumberField(arm.getKey().code(), arm.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory could not be written", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }
}
