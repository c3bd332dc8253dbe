package dev.parley.platform.schema;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Estimated validation cost of a schema: its parts, counting a referenced part once for each reference. A chain of
 * forty references that each occur twice is short, but would be followed 2^40 times.
 */
final class SchemaWeight {
    private static final long MAX_WEIGHT = 10_000;
    private static final int MAX_DEPTH = 100;
    private static final String REFERENCE = "$ref";

    /** Keywords with data instead of schemas. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    /** Keywords that apply several schemas to a value, which multiplies in a recursive schema. */
    private static final Set<String> BRANCHING = Set.of(
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "dependentSchemas",
            "patternProperties",
            "contains",
            "propertyNames",
            "unevaluatedProperties",
            "unevaluatedItems");

    private final JsonNode root;
    private final Map<String, Long> weights = new HashMap<>();
    private final Set<String> open = new HashSet<>();
    private boolean recursive;
    private boolean branching;

    private SchemaWeight(JsonNode root) {
        this.root = root;
    }

    /** @throws IllegalArgumentException if a schema could be slow */
    static void check(JsonNode schema) {
        var weight = new SchemaWeight(schema);
        weight.open.add("#");
        if (weight.of(schema, 0) > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    "it is too big: with all that it refers to it has more than " + MAX_WEIGHT + " parts");
        }
        if (weight.recursive && weight.branching) {
            throw new IllegalArgumentException(
                    "it refers to itself and has one of allOf, anyOf, oneOf, not, if and the like: together these can take unlimited time");
        }
    }

    private long of(JsonNode node, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("it is nested more than " + MAX_DEPTH + " levels deep");
        }
        long sum = 1;
        if (node.isObject()) {
            for (var member : node.properties()) {
                sum += of(member.getKey(), member.getValue(), depth);
            }
        } else if (node.isArray()) {
            for (JsonNode element : node) {
                sum += of(element, depth + 1);
            }
        }
        return Math.min(sum, MAX_WEIGHT + 1);
    }

    private long of(String keyword, JsonNode value, int depth) {
        branching |= BRANCHING.contains(keyword);
        if (keyword.startsWith("$dynamic") || keyword.startsWith("$recursive")) {
            throw new IllegalArgumentException(keyword + " is not known here; use $ref");
        }
        if (keyword.equals(REFERENCE) && value.isTextual()) {
            return ofReference(value.asText(), depth);
        }
        return DATA.contains(keyword) ? 1 : of(value, depth + 1);
    }

    private long ofReference(String reference, int depth) {
        if (!reference.equals("#") && !reference.startsWith("#/")) {
            throw new IllegalArgumentException(
                    "it refers to '" + reference + "', and may only to what is in it, such as #/$defs/name");
        }
        Long cached = weights.get(reference);
        if (cached != null) {
            return cached;
        }
        if (!open.add(reference)) {
            recursive = true;
            return 1;
        }
        JsonNode target = reference.equals("#") ? root : root.at(JsonPointer.compile(reference.substring(1)));
        if (target.isMissingNode()) {
            throw new IllegalArgumentException("it refers to '" + reference + "', which does not exist");
        }
        long weight = of(target, depth + 1);
        open.remove(reference);
        weights.put(reference, weight);
        return weight;
    }
}
