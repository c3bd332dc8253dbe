package dev.parley.platform.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.turn.ArgumentSchemas;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.regex.TimeAllowances;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiled schemas of callers' tools. Schemas that are invalid in this draft, have patterns (which are slow to compile)
 * or are expensive accept any object: the caller sees the arguments and can reject them. The time of a project's
 * schemas is bounded ({@link TimeAllowances}). Not thread-safe.
 */
public final class CompiledSchemas {
    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final int MAX_COMPILED = 500;

    /**
     * Maximum cost of a check, in characters of the schema times those of the arguments: a fraction of a second at
     * worst.
     */
    private static final long MAX_COST = 1L << 24;

    /** Prefix of the keywords with regular expressions. */
    private static final String PATTERN = "\"pattern";

    /** The draft of a schema, which is ignored: older drafts mostly mean the same. */
    private static final String DRAFT = "$schema";

    private final Map<String, Optional<JsonSchema>> compiled = new BoundedMap<>(MAX_COMPILED);
    private final TimeAllowances allowances = new TimeAllowances();

    /** The schemas for a decision about calls of a project. */
    public ArgumentSchemas decision(String project) {
        TimeAllowances.Decision time = allowances.decision(project);
        return (schema, arguments) -> {
            long start = System.nanoTime();
            try {
                boolean isCheap = time.remainingNanos() > 0
                        && (long) schema.length() * arguments.length() <= MAX_COST
                        && !schema.contains(PATTERN);
                return errors(isCheap ? schema(schema) : Optional.empty(), arguments);
            } finally {
                time.took(System.nanoTime() - start);
            }
        };
    }

    private static List<String> errors(Optional<JsonSchema> schema, String arguments) {
        try {
            JsonNode read = JSON.readTree(arguments);
            return read instanceof ObjectNode
                    ? schema.map(jsonSchema -> jsonSchema.errors(read)).orElse(List.of())
                    : List.of("the arguments are not a JSON object");
        } catch (JsonProcessingException e) {
            return List.of("the arguments are not valid JSON: " + e.getOriginalMessage());
        }
    }

    private Optional<JsonSchema> schema(String text) {
        return compiled.computeIfAbsent(text, CompiledSchemas::compile);
    }

    private static Optional<JsonSchema> compile(String text) {
        try {
            JsonNode schema = JSON.readTree(text);
            if (schema instanceof ObjectNode object) {
                object.remove(DRAFT);
            }
            return Optional.of(JsonSchema.of(schema.toString()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
