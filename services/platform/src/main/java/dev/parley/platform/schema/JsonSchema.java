package dev.parley.platform.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.regex.Regex;
import java.util.List;

/**
 * A self-contained JSON Schema of draft 2020-12, or an older one in the terms of it ({@link OlderDrafts}). External
 * references are rejected; nothing is fetched.
 */
public final class JsonSchema {
    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final int MAX_ERRORS = 5;
    private static final int MAX_ERROR = 300;

    /** The meta-schema, which the library contains. */
    private static final Schema META = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

    private final Schema schema;
    private final JsonNode source;

    private JsonSchema(Schema schema, JsonNode source) {
        this.schema = schema;
        this.source = source;
    }

    /**
     * Reads a schema.
     *
     * @throws IllegalArgumentException if it is invalid or could be slow: patterns beyond RE2, or references that
     *     multiply
     */
    public static JsonSchema of(String json) {
        try {
            JsonNode read = OlderDrafts.current(JSON.readTree(json));
            SchemaWeight.check(read);
            List<Error> faults = META.validate(ValidatorTree.of(read));
            if (!faults.isEmpty()) {
                throw new IllegalArgumentException(message(faults.getFirst()));
            }
            Schema schema = schemas().getSchema(read.toString(), InputFormat.JSON);
            schema.initializeValidators(); // resolves references now instead of on first use
            return new JsonSchema(schema, read);
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Reads the schema of tool arguments, which must be an object.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static JsonSchema ofArguments(String json) {
        JsonSchema schema = of(json);
        JsonNode read = schema.source;
        if (!read.path("type").asText("").equals("object")
                || !read.path("properties").isObject() && read.has("properties")
                || read.has("oneOf")
                || read.has("anyOf")
                || read.has("allOf")) {
            throw new IllegalArgumentException(
                    "arguments are an object: it has \"type\": \"object\", and no oneOf, anyOf or allOf at the top");
        }
        return schema;
    }

    /** A registry that resolves no external schema, neither from the network nor from the class path. */
    private static SchemaRegistry schemas() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.schemaLoader(loader -> loader.allow(_ -> false))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .regularExpressionFactory(JsonSchema::expression)
                                .build()));
    }

    /** A matcher with time linear in the text. */
    private static RegularExpression expression(String pattern) {
        Pattern compiled = Regex.compile(pattern, false);
        return text -> compiled.matcher(text).find();
    }

    /** Up to five short error messages; empty if the value is valid. */
    public List<String> errors(JsonNode value) {
        return schema.validate(ValidatorTree.of(value)).stream()
                .limit(MAX_ERRORS)
                .map(JsonSchema::message)
                .toList();
    }

    /** Like {@link #errors(JsonNode)}; invalid JSON is an error. */
    public List<String> errors(String json) {
        try {
            return errors(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            return List.of("it is not valid JSON");
        }
    }

    /**
     * Sets missing properties of an object to their defaults, and writes its integers without a fraction: to JSON
     * Schema {@code 7.0} is an integer, to an API it seldom is.
     */
    public void complete(ObjectNode object) {
        for (var property : source.path("properties").properties()) {
            JsonNode fallback = property.getValue().get("default");
            if (fallback != null && !object.has(property.getKey())) {
                object.set(property.getKey(), fallback.deepCopy());
            }
        }
        integers(source, object);
    }

    /** The value with the integers that its schema names, at any depth, without a fraction. */
    private static JsonNode integers(JsonNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            for (var property : schema.path("properties").properties()) {
                JsonNode member = object.get(property.getKey());
                if (member != null) {
                    object.set(property.getKey(), integers(property.getValue(), member));
                }
            }
        } else if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode own = schema.path("prefixItems").get(i);
                array.set(i, integers(own == null ? schema.path("items") : own, array.get(i)));
            }
        } else if (value.isFloatingPointNumber()
                && value.canConvertToExactIntegral()
                && schema.path("type").asText("").equals("integer")) {
            return JSON.getNodeFactory().numberNode(value.bigIntegerValue());
        }
        return value;
    }

    private static String message(Error error) {
        String location = error.getInstanceLocation().toString();
        String message = (location.isEmpty() || location.equals("/") ? "" : location + ": ") + error.getMessage();
        return message.length() > MAX_ERROR ? message.substring(0, MAX_ERROR) + " …" : message;
    }
}
