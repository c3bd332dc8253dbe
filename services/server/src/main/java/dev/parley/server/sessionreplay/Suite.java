package dev.parley.server.sessionreplay;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.TextDecoder;
import dev.parley.platform.regex.CompiledPatterns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Recorded turns with expectations of their replay.
 *
 * @param agent to evaluate, or null for that of the command
 * @param model instead of the agent's own, {@code provider/model}, or null
 * @param threshold the share of expectations to meet, 0 to 1; null for all
 */
record Suite(
        @JsonProperty("agent") @Nullable String agent,
        @JsonProperty("model") @Nullable String model,
        @JsonProperty("threshold") @Nullable Double threshold,
        @JsonProperty("sessions") @Nullable List<SessionPart> sessions) {

    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_TURNS = 1_000;
    private static final ObjectMapper YAML = JsonMappers.yaml()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /**
     * Turns of one session.
     *
     * @param session {@code KEY} or {@code PROJECT/KEY}
     * @param turns by their numbers
     */
    record SessionPart(
            @JsonProperty("session") @Nullable String session,
            @JsonProperty("turns") @Nullable Map<Long, Expected> turns) {
        String key() {
            return Objects.requireNonNull(session);
        }

        Map<Long, Expected> expectations() {
            return Objects.requireNonNull(turns);
        }
    }

    /**
     * Expectations of a turn; null for none.
     *
     * @param matches a regular expression to find in the reply
     * @param called names of tools that must be called
     * @param maxCost in dollars; an unknown cost does not meet it
     * @param maxTokens of input and output
     * @param sameReply whether the reply must be the recorded one, or another
     */
    record Expected(
            @JsonProperty("state") @Nullable TurnState state,
            @JsonProperty("contains") @Nullable List<String> contains,
            @JsonProperty("notContains") @Nullable List<String> notContains,
            @JsonProperty("matches") @Nullable String matches,
            @JsonProperty("called") @Nullable List<String> called,
            @JsonProperty("notCalled") @Nullable List<String> notCalled,
            @JsonProperty("maxCost") @Nullable Double maxCost,
            @JsonProperty("maxTokens") @Nullable Long maxTokens,
            @JsonProperty("sameReply") @Nullable Boolean sameReply) {}

    /** @throws IllegalArgumentException with the file and the error */
    static Suite read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(file + ": has more than a MiB");
            }
            Suite suite = YAML.readValue(TextDecoder.read(file), Suite.class);
            if (suite == null) {
                throw new IllegalArgumentException(file + ": is empty");
            }
            suite.check(file);
            return suite;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new IllegalArgumentException(file + ":" + line + ": " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The suite of turns with an opinion: a bad one needs another reply, a good one the same. */
    static Suite of(List<TurnResult> results, Opinion opinion) {
        var same = new Expected(null, null, null, null, null, null, null, null, opinion == Opinion.GOOD);
        Map<String, Map<Long, Expected>> sessions = new LinkedHashMap<>();
        results.forEach(result ->
                sessions.computeIfAbsent(result.session(), _ -> new TreeMap<>()).put(result.number(), same));
        return new Suite(
                null,
                null,
                null,
                sessions.entrySet().stream()
                        .map(session -> new SessionPart(session.getKey(), session.getValue()))
                        .toList());
    }

    private void check(Path file) {
        if (sessions == null || sessions.isEmpty()) {
            throw new IllegalArgumentException(file + ": sessions: at least one is needed");
        }
        if (threshold != null && !(threshold >= 0 && threshold <= 1)) {
            throw new IllegalArgumentException(file + ": threshold: is 0 to 1");
        }
        int turns = 0;
        for (SessionPart part : sessions) {
            if (part == null
                    || part.session() == null
                    || part.turns() == null
                    || part.turns().isEmpty()) {
                throw new IllegalArgumentException(file + ": each of the sessions has a session and turns");
            }
            turns += part.turns().size();
            part.turns().forEach((number, expected) -> check(file + ": turn " + number, expected));
        }
        if (turns > MAX_TURNS) {
            throw new IllegalArgumentException(file + ": has more than " + MAX_TURNS + " turns");
        }
    }

    private static void check(String location, @Nullable Expected expected) {
        if (expected == null || expected.equals(new Expected(null, null, null, null, null, null, null, null, null))) {
            throw new IllegalArgumentException(location + ": has no expectations");
        }
        if (expected.matches() != null) {
            try {
                CompiledPatterns.compile(expected.matches());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(location + ": matches: " + e.getMessage(), e);
            }
        }
    }

    List<SessionPart> parts() {
        return Objects.requireNonNull(sessions);
    }
}
