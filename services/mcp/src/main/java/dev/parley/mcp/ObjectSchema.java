package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.schema.JsonSchema;
import java.util.List;

/** A builder of JSON Schemas (2020-12) of objects. */
final class ObjectSchema {
    private static final int MAX_NAME = 500;

    private final ObjectNode json = McpJson.object().put("type", "object");
    private final ObjectNode properties = json.putObject("properties");

    private ObjectSchema() {}

    /** A schema that rejects other fields. */
    static ObjectSchema ofArguments() {
        var schema = new ObjectSchema();
        schema.json.put("additionalProperties", false);
        return schema;
    }

    /** A schema that allows other fields. */
    static ObjectSchema ofResult() {
        return new ObjectSchema();
    }

    /** A schema that allows other fields, and requires this text. */
    static ObjectSchema ofResultWith(String name, String description) {
        return ofResult().required(name, field("string", description));
    }

    /**
     * A page of a list.
     *
     * @param description description of the items
     */
    static ObjectSchema page(String description, ObjectSchema row) {
        return ofResult()
                .required("data", list(row.json(), description))
                .optional("next", nullable("string", "Cursor of the next page; null on the last page."));
    }

    ObjectSchema required(String name, ObjectNode type) {
        ArrayNode required = json.get("required") instanceof ArrayNode existing ? existing : json.putArray("required");
        required.add(name);
        return optional(name, type);
    }

    ObjectSchema optional(String name, ObjectNode type) {
        properties.set(name, type);
        return this;
    }

    /** Adds the optional project of a call. */
    ObjectSchema inProject() {
        return optional(
                McpToolCall.PROJECT,
                text("Key of the project. Defaults to the project of your key, or the default project."));
    }

    /** Adds limit and cursor. */
    ObjectSchema paged() {
        return optional("limit", integer("Maximum number of items. Defaults to 50.", 1, 200))
                .optional("cursor", text("Cursor: 'next' of the previous page."));
    }

    /** Adds the idempotency key. */
    ObjectSchema once() {
        return optional(
                McpToolCall.IDEMPOTENCY_KEY, text("Identifies the request, so that duplicates are ignored.", 200));
    }

    static ObjectNode text(String description) {
        return text(description, MAX_NAME);
    }

    static ObjectNode text(String description, int maxLength) {
        return describedType("string", description).put("minLength", 1).put("maxLength", maxLength);
    }

    static ObjectNode integer(String description, long minimum, long maximum) {
        return describedType("integer", description).put("minimum", minimum).put("maximum", maximum);
    }

    static ObjectNode flag(String description) {
        return describedType("boolean", description);
    }

    static ObjectNode choice(String description, List<String> values) {
        ObjectNode choice = describedType("string", description);
        values.forEach(choice.putArray("enum")::add);
        return choice;
    }

    static ObjectNode list(ObjectNode items, String description) {
        ObjectNode list = describedType("array", description);
        list.set("items", items);
        return list;
    }

    static ObjectNode texts(String description, int limit) {
        return list(text("One entry of the list.", 200), description).put("maxItems", limit);
    }

    /** An object of any fields. */
    static ObjectNode object(String description) {
        return describedType("object", description);
    }

    /** Any value. */
    static ObjectNode any(String description) {
        return McpJson.object().put("description", description);
    }

    /** A field of a result, of this type. */
    static ObjectNode field(String type, String description) {
        return describedType(type, description);
    }

    /** A field of a result, of this type or null. */
    static ObjectNode nullable(String type, String description) {
        ObjectNode json = McpJson.object();
        json.putArray("type").add(type).add("null");
        return json.put("description", description);
    }

    private static ObjectNode describedType(String type, String description) {
        return McpJson.object().put("type", type).put("description", description);
    }

    ObjectNode json() {
        return json;
    }

    /** The validator of values. */
    JsonSchema compile() {
        return JsonSchema.of(json.toString());
    }
}
