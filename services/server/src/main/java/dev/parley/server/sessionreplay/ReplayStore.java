package dev.parley.server.sessionreplay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results in a file, a line of JSON each; an interrupted replay resumes after the last one. */
final class ReplayStore {
    private static final ObjectMapper JSON =
            JsonMappers.stored().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private final @Nullable Path file;
    private final Map<String, TurnResult> stored = new HashMap<>();
    private int unreadable;

    /** @param file null to store nothing. An incomplete last line is skipped, and its turn rerun. */
    ReplayStore(@Nullable Path file) throws IOException {
        this.file = file;
        if (file != null && Files.exists(file)) {
            try (Stream<String> lines = Files.lines(file)) {
                lines.forEach(this::read);
            }
        }
    }

    private void read(String line) {
        if (line.isBlank()) {
            return;
        }
        try {
            TurnResult result = JSON.readValue(line, TurnResult.class);
            stored.put(key(result.session(), result.turn(), result.agent()), result);
        } catch (JsonProcessingException e) {
            unreadable++;
        }
    }

    /** The number of lines that are not results. */
    int unreadable() {
        return unreadable;
    }

    private static String key(String session, UUID turn, String agent) {
        return session + " " + turn + " " + agent;
    }

    /** The stored result of a turn with this version of an agent. */
    Optional<TurnResult> find(String session, UUID turn, String agent) {
        return Optional.ofNullable(stored.get(key(session, turn, agent)));
    }

    /** Stores a result; unanswered turns are rerun the next time. */
    void keep(TurnResult result) throws IOException {
        if (file != null && result.isAnswered()) {
            String line = System.lineSeparator() + JSON.writeValueAsString(result);
            Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
