package dev.parley.memory.recall;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.domain.json.JsonBounds;
import dev.parley.language.time.TimeSpan;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Packs ranked hits as JSON within a token limit: {@code {"memories":[…]}}. The limit covers the whole JSON. A hit that
 * does not fit is skipped, and smaller ones after it may fit. Where none fits, hits are packed with id, kind and text
 * only.
 */
final class RecallPayload {
    /** Tokens of an empty answer, with a margin. */
    static final int MIN_TOKENS = 10;

    /** Minimum tokens of a hit. */
    private static final int MIN_HIT_TOKENS = 25;

    /** After this many hits that do not fit, packing stops. */
    private static final int MAX_MISSES = 50;

    private static final String HEAD = "{\"memories\":[";
    private static final String TAIL = "]}";

    /** Begin and end of a hit; its fields begin with a letter and end with a digit. */
    private static final String OPEN = "{\"";

    private static final String CLOSE = "}}";

    /**
     * No token spans from a field over two or more punctuation characters into another field, so the tokens of an
     * answer are the sum of those of its parts.
     */
    private static final int AROUND_HIT = TokenCounter.of(OPEN) + TokenCounter.of(CLOSE);

    private static final int AROUND_ALL = TokenCounter.of(HEAD + OPEN) + TokenCounter.of(CLOSE + TAIL);
    private static final int BETWEEN = TokenCounter.of(CLOSE + "," + OPEN);

    private static final int UNKNOWN = -1;
    private static final JsonFactory JSON = JsonBounds.STORED.factory();

    private final List<RecallHit> hits = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    /** Tokens of the fields of all hits, or {@link #UNKNOWN} where a hit ends unusually. */
    private int ofFields;

    private RecallPayload() {}

    record Packed(List<RecallHit> hits, String json, int tokens) {}

    static Packed pack(List<RecallHit> ranked, int maxTokens) {
        RecallPayload payload = new RecallPayload();
        payload.fill(ranked, maxTokens, RecallPayload::json);
        if (payload.hits.isEmpty()) {
            payload.fill(ranked, maxTokens, RecallPayload::brief);
        }
        String json = payload.json();
        int tokens = payload.tokens(json);
        // Tokens of parts need not add up to those of the whole.
        while (tokens > maxTokens) {
            payload.hits.removeLast();
            payload.texts.removeLast();
            json = payload.json();
            tokens = TokenCounter.of(json);
        }
        return new Packed(List.copyOf(payload.hits), json, tokens);
    }

    private void fill(List<RecallHit> ranked, int maxTokens, Function<RecallHit, String> format) {
        int remaining = maxTokens - MIN_TOKENS;
        int misses = 0;
        for (RecallHit hit : ranked) {
            if (remaining < MIN_HIT_TOKENS || misses == MAX_MISSES) {
                return;
            }
            String text = format.apply(hit);
            int tokens = TokenCounter.atLeast(text) < remaining ? TokenCounter.of(text) + 1 : remaining + 1;
            if (tokens <= remaining) {
                add(hit, text, tokens - 1);
                remaining -= tokens;
            } else {
                misses++;
            }
        }
    }

    private void add(RecallHit hit, String text, int tokens) {
        hits.add(hit);
        texts.add(text);
        boolean usual = text.endsWith(CLOSE) && isDigit(text.charAt(text.length() - CLOSE.length() - 1));
        ofFields = usual && ofFields != UNKNOWN ? ofFields + tokens - AROUND_HIT : UNKNOWN;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private int tokens(String json) {
        return texts.isEmpty() || ofFields == UNKNOWN
                ? TokenCounter.of(json)
                : AROUND_ALL + ofFields + (texts.size() - 1) * BETWEEN;
    }

    private String json() {
        return HEAD + String.join(",", texts) + TAIL;
    }

    private static String brief(RecallHit hit) {
        return object(json -> {
            json.writeStringField("id", hit.id());
            json.writeStringField("kind", hit.kind().code());
            json.writeStringField("text", hit.text());
        });
    }

    private static String json(RecallHit hit) {
        return object(json -> {
            json.writeStringField("id", hit.id());
            json.writeStringField("kind", hit.kind().code());
            write(json, "type", hit.type() == null ? null : hit.type().code());
            json.writeStringField("text", hit.text());
            write(json, "context", hit.context());
            write(json, "source", hit.source());
            TimeSpan occurred = hit.occurred();
            write(json, "occurredFrom", occurred == null ? null : occurred.from());
            write(json, "occurredTo", occurred == null ? null : occurred.to());
            write(json, "mentionedAt", hit.mentionedAt());
            if (!hit.entities().isEmpty()) {
                json.writeFieldName("entities");
                json.writeArray(
                        hit.entities().toArray(String[]::new), 0, hit.entities().size());
            }
            json.writeNumberField("score", Math.round(hit.score() * 10_000) / 10_000.0);
            writeRanks(json, hit.arms());
        });
    }

    private static void writeRanks(JsonGenerator json, Map<Retriever, Integer> ranks) throws IOException {
        json.writeObjectFieldStart("arms");
        for (Map.Entry<Retriever, Integer> rank : new TreeMap<>(ranks).entrySet()) {
            json.writeNumberField(rank.getKey().code(), rank.getValue());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, @Nullable Object value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value.toString());
        }
    }

    @FunctionalInterface
    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private static String object(Fields fields) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory could not be written", e);
        }
        return text.toString();
    }
}
