package dev.parley.server.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
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

/** Results in a file, a line of JSON each, as they come: a replay that was ended goes on behind the last one. */
final class ReplayStore {
    private static final ObjectMapper JSON =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private final @Nullable Path file;
    private final Map<String, TurnResult> known = new HashMap<>();
    private int unreadable;

    /** @param file null where nothing is kept. A last line that is cut is left out, and its turn replayed again. */
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
            known.put(place(result.session(), result.turn(), result.agent()), result);
        } catch (JsonProcessingException e) {
            unreadable++;
        }
    }

    /** How many lines are no results: an end that was not written whole, or something else's. */
    int unreadable() {
        return unreadable;
    }

    private static String place(String session, UUID turn, String agent) {
        return session + " " + turn + " " + agent;
    }

    /** What is known of this turn with this version of an agent. */
    Optional<TurnResult> find(String session, UUID turn, String agent) {
        return Optional.ofNullable(known.get(place(session, turn, agent)));
    }

    /** Keeps a result; one that was not answered is tried again the next time. */
    void keep(TurnResult result) throws IOException {
        if (file != null && result.isAnswered()) {
            String line = System.lineSeparator() + JSON.writeValueAsString(result);
            Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
