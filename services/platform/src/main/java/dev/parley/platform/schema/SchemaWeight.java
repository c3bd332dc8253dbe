package dev.parley.platform.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Estimated validation cost of a schema: its parts, counting a referenced part once for each reference. A chain of
 * forty references that each occur twice is short, but would be followed 2^40 times.
 */
final class SchemaWeight {
    private static final long HEAVIEST = 10_000;
    private static final int DEEPEST = 100;
    private static final String REFERENCE = "$ref";

    /** What holds no schemas, whatever stands in it. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    /** What applies several schemas to one value: with a schema that refers to itself this multiplies with each level. */
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

    /** @throws IllegalArgumentException when a schema could take long */
    static void check(JsonNode schema) {
        var weight = new SchemaWeight(schema);
        weight.open.add("#");
        if (weight.of(schema, 0) > HEAVIEST) {
            throw new IllegalArgumentException(
                    "it is too big: with all that it refers to it has more than " + HEAVIEST + " parts");
        }
        if (weight.recursive && weight.branching) {
            throw new IllegalArgumentException(
                    "it refers to itself and has one of allOf, anyOf, oneOf, not, if and the like: these together can take for ever");
        }
    }

    private long of(JsonNode node, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("it is nested more than " + DEEPEST + " levels deep");
        }
        long sum = 1;
        if (node.isObject()) {
            for (var member : node.properties()) {
                branching |= BRANCHING.contains(member.getKey());
                if (member.getKey().startsWith("$dynamic") || member.getKey().startsWith("$recursive")) {
                    throw new IllegalArgumentException(member.getKey() + " is not known here; use $ref");
                }
                boolean refers =
                        member.getKey().equals(REFERENCE) && member.getValue().isString();
                sum += refers
                        ? referred(member.getValue().asString(), depth)
                        : DATA.contains(member.getKey()) ? 1 : of(member.getValue(), depth + 1);
            }
        } else if (node.isArray()) {
            for (JsonNode element : node) {
                sum += of(element, depth + 1);
            }
        }
        return Math.min(sum, HEAVIEST + 1);
    }

    private long referred(String reference, int depth) {
        if (!reference.equals("#") && !reference.startsWith("#/")) {
            throw new IllegalArgumentException(
                    "it refers to '" + reference + "', and may only to what is in it, such as #/$defs/name");
        }
        Long known = weights.get(reference);
        if (known != null) {
            return known;
        }
        if (!open.add(reference)) {
            recursive = true;
            return 1;
        }
        JsonNode target = reference.equals("#") ? root : root.at(JsonPointer.compile(reference.substring(1)));
        if (target.isMissingNode()) {
            throw new IllegalArgumentException("it refers to '" + reference + "', which is not there");
        }
        long weight = of(target, depth + 1);
        open.remove(reference);
        weights.put(reference, weight);
        return weight;
    }
}
