package dev.parley.platform.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import java.util.Set;

/**
 * Schemas of the drafts 4 to 2019-09 in the terms of draft 2020-12. Generators of schemas name the drafts 4 and 7 most;
 * models and their providers read 2020-12.
 *
 * @see <a href="https://json-schema.org/draft/2020-12/release-notes">release notes of 2020-12</a>
 */
public final class OlderDrafts {
    private static final String DRAFT = "$schema";
    private static final String CURRENT = "https://json-schema.org/draft/2020-12/schema";
    private static final String ITEMS = "items";

    /** Keywords with a schema by name. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

    /** Keywords with a schema, or with a list of them. */
    private static final Set<String> NESTED = Set.of(
            "items",
            "prefixItems",
            "additionalItems",
            "additionalProperties",
            "unevaluatedItems",
            "unevaluatedProperties",
            "contains",
            "propertyNames",
            "not",
            "if",
            "then",
            "else",
            "allOf",
            "anyOf",
            "oneOf");

    private OlderDrafts() {}

    /** A schema as draft 2020-12 writes it; other JSON as it is. */
    public static String current(String json) {
        return current(JsonMappers.tree(json)).toString();
    }

    /** A schema as draft 2020-12 writes it; other JSON as it is. */
    public static JsonNode current(JsonNode schema) {
        return schema instanceof ObjectNode object ? converted(object) : schema;
    }

    private static ObjectNode converted(ObjectNode schema) {
        ObjectNode converted = JsonNodeFactory.instance.objectNode();
        schema.properties()
                .forEach(keyword -> converted.set(keyword.getKey(), value(keyword.getKey(), keyword.getValue())));
        String draft = converted.path(DRAFT).asText("");
        if (draft.startsWith("http") && draft.contains("json-schema.org/") && !draft.equals(CURRENT)) {
            converted.put(DRAFT, CURRENT);
        }
        tuple(converted);
        limit(converted, "minimum", "exclusiveMinimum");
        limit(converted, "maximum", "exclusiveMaximum");
        dependencies(converted);
        return converted;
    }

    private static JsonNode value(String keyword, JsonNode value) {
        if (NAMED.contains(keyword) && value instanceof ObjectNode schemas) {
            ObjectNode converted = JsonNodeFactory.instance.objectNode();
            schemas.properties().forEach(schema -> converted.set(schema.getKey(), current(schema.getValue())));
            return converted;
        }
        if (NESTED.contains(keyword) && value instanceof ArrayNode schemas) {
            ArrayNode converted = JsonNodeFactory.instance.arrayNode();
            schemas.forEach(schema -> converted.add(current(schema)));
            return converted;
        }
        return NESTED.contains(keyword) ? current(value) : value;
    }

    /** A list of schemas by position was {@code items}, and the schema of what follows {@code additionalItems}. */
    private static void tuple(ObjectNode schema) {
        JsonNode rest = schema.get("additionalItems");
        if (schema.get(ITEMS) instanceof ArrayNode positions) {
            schema.remove(ITEMS);
            if (!positions.isEmpty()) {
                schema.set("prefixItems", positions);
            }
            if (rest != null) {
                schema.set(ITEMS, rest);
            }
        }
        schema.remove("additionalItems"); // without positions it had no meaning
    }

    /** An exclusive limit was a flag beside the limit (draft 4). */
    private static void limit(ObjectNode schema, String limit, String exclusive) {
        JsonNode flag = schema.get(exclusive);
        if (flag != null && flag.isBoolean()) {
            schema.remove(exclusive);
            JsonNode value = schema.get(limit);
            if (flag.booleanValue() && value != null) {
                schema.remove(limit);
                schema.set(exclusive, value);
            }
        }
    }

    /** Schemas and lists of names had one keyword. */
    private static void dependencies(ObjectNode schema) {
        if (schema.get("dependencies") instanceof ObjectNode dependencies) {
            schema.remove("dependencies");
            dependencies
                    .properties()
                    .forEach(dependency -> schema.withObject(
                                    dependency.getValue().isArray() ? "/dependentRequired" : "/dependentSchemas")
                            .set(dependency.getKey(), current(dependency.getValue())));
        }
    }
}
