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
import dev.parley.platform.regex.Regex;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A self-contained JSON Schema (draft 2020-12). External references are rejected; nothing is fetched. */
public final class JsonSchema {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int MAX_ERRORS = 5;
    private static final int MAX_ERROR = 300;

    /** What every schema keeps to; it comes with the library. */
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
     * @throws IllegalArgumentException when it is none, or one that could take long: patterns that are not RE2's, references that
     *     multiply
     */
    public static JsonSchema of(String json) {
        try {
            SchemaWeight.check(JSON.readTree(json));
            List<Error> faults = META.validate(JSON.readTree(json));
            if (!faults.isEmpty()) {
                throw new IllegalArgumentException(words(faults.getFirst()));
            }
            Schema schema = schemas().getSchema(json, InputFormat.JSON);
            schema.initializeValidators(); // follows what it refers to, now rather than at the first use
            return new JsonSchema(schema, JSON.readTree(json).path("properties"));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Reads the schema of a tool's arguments, which are an object. @throws IllegalArgumentException when it is none */
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

    /** A registry of one: no schema is looked up anywhere, not in the network, the class path or another one. */
    private static SchemaRegistry schemas() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.schemaLoader(loader -> loader.allow(_ -> false))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .regularExpressionFactory(JsonSchema::expression)
                                .build()));
    }

    /** In time that grows with the text alone. */
    private static RegularExpression expression(String pattern) {
        Pattern compiled = Regex.compile(pattern, false);
        return text -> compiled.matcher(text).find();
    }

    /** What breaks which of its rules, in short words, at most five of them; nothing where it is kept. */
    public List<String> errors(JsonNode value) {
        return schema.validate(value).stream()
                .limit(MAX_ERRORS)
                .map(JsonSchema::words)
                .toList();
    }

    /** As {@link #errors(JsonNode)}; a text that is no JSON breaks every rule. */
    public List<String> errors(String json) {
        try {
            return errors(JSON.readTree(json));
        } catch (JacksonException e) {
            return List.of("it is no JSON");
        }
    }

    /** Puts the defaults of its properties in where an object leaves them out. */
    public void complete(ObjectNode object) {
        for (var property : defaults.properties()) {
            JsonNode standard = property.getValue().get("default");
            if (standard != null && !object.has(property.getKey())) {
                object.set(property.getKey(), standard.deepCopy());
            }
        }
    }

    private static String words(Error error) {
        String at = error.getInstanceLocation().toString();
        String words = (at.isEmpty() || at.equals("/") ? "" : at + ": ") + error.getMessage();
        return words.length() > MAX_ERROR ? words.substring(0, MAX_ERROR) + " …" : words;
    }
}
