package dev.parley.platform.schema;

import dev.parley.domain.turn.ArgumentSchemas;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.regex.TimeAllowances;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schemas of callers' tools, compiled once. A schema that is none here (one of an older draft that means something else), one with
 * patterns, which take long to compile, and one that would take long let any object pass: its caller sees the arguments, and can say
 * what is wrong. How long those of a project may keep others waiting is bounded ({@link TimeAllowances}). For one thread.
 */
public final class CompiledSchemas {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int KEPT = 500;

    /** Most work of one check: characters of the schema times those of the arguments. It takes a fraction of a second at the worst. */
    private static final long MOST = 1L << 24;

    /** What begins the names of keywords with regular expressions. */
    private static final String PATTERN = "\"pattern";

    /** Which draft a schema is written for: what is written for older ones mostly means the same. */
    private static final String DRAFT = "$schema";

    private final Map<String, Optional<JsonSchema>> compiled = new BoundedMap<>(KEPT);
    private final TimeAllowances allowances = new TimeAllowances();

    /** For one decision about calls of this project. */
    public ArgumentSchemas decision(String project) {
        TimeAllowances.Decision time = allowances.decision(project);
        return (schema, arguments) -> {
            long begin = System.nanoTime();
            try {
                boolean isCheap = time.left() > 0
                        && (long) schema.length() * arguments.length() <= MOST
                        && !schema.contains(PATTERN);
                return errors(isCheap ? schema(schema) : Optional.empty(), arguments);
            } finally {
                time.took(System.nanoTime() - begin);
            }
        };
    }

    private static List<String> errors(Optional<JsonSchema> schema, String arguments) {
        try {
            JsonNode read = JSON.readTree(arguments);
            return read instanceof ObjectNode
                    ? schema.map(known -> known.errors(read)).orElse(List.of())
                    : List.of("the arguments are no JSON object");
        } catch (JacksonException e) {
            return List.of("the arguments are no JSON: " + e.getOriginalMessage());
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
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
