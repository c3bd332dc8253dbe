package dev.parley.platform.schema;

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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

/** A self-contained JSON Schema (draft 2020-12). External references are rejected; nothing is fetched. */
public final class JsonSchema {
    private static final ObjectMapper JSON = JsonMappers.shared3();
    private static final int MAX_ERRORS = 5;
    private static final int MAX_ERROR = 300;

    /** The meta-schema, which the library contains. */
    private static final Schema META = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

    private final Schema schema;
    private final JsonNode defaults;

    private JsonSchema(Schema schema, JsonNode properties) {
        this.schema = schema;
        this.defaults = properties;
    }

    /**
     * Reads a schema.
     *
     * @throws IllegalArgumentException if it is invalid or could be slow: patterns beyond RE2, or references that
     *     multiply
     */
    public static JsonSchema of(String json) {
        try {
            SchemaWeight.check(JSON.readTree(json));
            List<Error> faults = META.validate(JSON.readTree(json));
            if (!faults.isEmpty()) {
                throw new IllegalArgumentException(message(faults.getFirst()));
            }
            Schema schema = schemas().getSchema(json, InputFormat.JSON);
            schema.initializeValidators(); // resolves references now instead of on first use
            return new JsonSchema(schema, JSON.readTree(json).path("properties"));
        } catch (RuntimeException e) {
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
        JsonNode read = JSON.readTree(json);
        if (!read.path("type").asString("").equals("object")
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
        return schema.validate(value).stream()
                .limit(MAX_ERRORS)
                .map(JsonSchema::message)
                .toList();
    }

    /** Like {@link #errors(JsonNode)}; invalid JSON is an error. */
    public List<String> errors(String json) {
        try {
            return errors(JSON.readTree(json));
        } catch (JacksonException e) {
            return List.of("it is not valid JSON");
        }
    }

    /** Sets missing properties of an object to their defaults. */
    public void complete(ObjectNode object) {
        for (var property : defaults.properties()) {
            JsonNode fallback = property.getValue().get("default");
            if (fallback != null && !object.has(property.getKey())) {
                object.set(property.getKey(), fallback.deepCopy());
            }
        }
    }

    private static String message(Error error) {
        String location = error.getInstanceLocation().toString();
        String message = (location.isEmpty() || location.equals("/") ? "" : location + ": ") + error.getMessage();
        return message.length() > MAX_ERROR ? message.substring(0, MAX_ERROR) + " …" : message;
    }
}
