package dev.parley.eval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The messages of a bank, and queries about them. */
record EvalConversation(String bank, List<Message> messages, List<Query> queries) {
    private static final ObjectMapper JSON = JsonMappers.stored();

    /**
     * @param position in its session, from 0
     * @param time of the message, or null
     */
    record Message(
            String id,
            String session,
            int position,
            String speaker,
            @Nullable Instant time,
            String text) {
        boolean isAgents() {
            return speaker.equalsIgnoreCase("assistant");
        }

        boolean isNamed() {
            return !isAgents() && !speaker.equalsIgnoreCase("user");
        }
    }

    /** @param gold ids of the messages that hold the answer, at least one */
    record Query(String id, String text, String category, Set<String> gold) {}

    /**
     * The conversations of a file: one JSON object per line; a file {@code .gz} is compressed.
     *
     * @throws IllegalArgumentException for a line in another format; the message names the line
     */
    static List<EvalConversation> read(Path file) throws IOException {
        var builders = new LinkedHashMap<String, Builder>();
        try (InputStream bytes = Files.newInputStream(file);
                var lines = new BufferedReader(new InputStreamReader(unpacked(file, bytes), StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    readLine(file + " line " + number, line, builders);
                }
            }
        }
        return builders.entrySet().stream()
                .map(bank -> bank.getValue().conversation(bank.getKey()))
                .toList();
    }

    private static InputStream unpacked(Path file, InputStream bytes) throws IOException {
        return file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
    }

    private static void readLine(String location, String line, Map<String, Builder> builders) {
        try {
            JsonNode object = JSON.readTree(line);
            Builder bank = builders.computeIfAbsent(text(object, "bank"), _ -> new Builder());
            switch (text(object, "type")) {
                case "turn" -> bank.message(object);
                case "query" -> bank.query(object);
                default -> throw new IllegalArgumentException("type is neither turn nor query");
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(location + " is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(location + ": " + e.getMessage(), e);
        }
    }

    private static String text(JsonNode object, String field) {
        JsonNode value = object.get(field);
        if (value == null || !value.isTextual()) {
            throw new IllegalArgumentException(field + " must be a text");
        }
        return value.asText();
    }

    private static final class Builder {
        private final List<Message> messages = new ArrayList<>();
        private final List<Query> queries = new ArrayList<>();
        private final Map<String, Integer> sessions = new LinkedHashMap<>();

        void message(JsonNode object) {
            String session = text(object, "session");
            int position = sessions.merge(session, 1, Integer::sum) - 1;
            String time = object.path("time").asText("");
            messages.add(new Message(
                    text(object, "id"),
                    session,
                    position,
                    text(object, "speaker"),
                    object.path("time").isNull() || time.isEmpty() ? null : instant(time),
                    text(object, "text")));
        }

        /** Parses a date, or a date and time; UTC unless it has a zone. */
        private static Instant instant(String time) {
            if (time.length() <= 10) {
                return LocalDate.parse(time).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
            TemporalAccessor parsed = DateTimeFormatter.ISO_DATE_TIME.parseBest(
                    time.replace(' ', 'T'), OffsetDateTime::from, LocalDateTime::from);
            return parsed instanceof OffsetDateTime zoned
                    ? zoned.toInstant()
                    : LocalDateTime.from(parsed).toInstant(ZoneOffset.UTC);
        }

        void query(JsonNode object) {
            var gold = new TreeSet<String>();
            object.path("gold").forEach(id -> gold.add(id.asText()));
            if (gold.isEmpty()) {
                throw new IllegalArgumentException("gold has to name at least one turn");
            }
            queries.add(new Query(text(object, "id"), text(object, "text"), text(object, "category"), gold));
        }

        EvalConversation conversation(String bank) {
            return new EvalConversation(bank, List.copyOf(messages), List.copyOf(queries));
        }
    }
}
