package dev.parley.platform.schema;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tree as the validator wants it, whose library speaks Jackson 3. Each number is the same object, so that none loses a
 * digit, and faults quote it as it was written.
 */
final class ValidatorTree {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ValidatorTree() {}

    /** The same value. */
    static JsonNode of(com.fasterxml.jackson.databind.JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> {
                ObjectNode object = NODES.objectNode();
                value.properties().forEach(member -> object.set(member.getKey(), of(member.getValue())));
                yield object;
            }
            case ARRAY -> {
                ArrayNode array = NODES.arrayNode(value.size());
                value.forEach(element -> array.add(of(element)));
                yield array;
            }
            case STRING -> NODES.stringNode(value.textValue());
            case NUMBER -> number(value);
            case BOOLEAN -> NODES.booleanNode(value.booleanValue());
            case NULL -> NODES.nullNode();
            case MISSING -> NODES.missingNode();
            case BINARY, POJO -> throw new IllegalArgumentException("it is not JSON");
        };
    }

    private static JsonNode number(com.fasterxml.jackson.databind.JsonNode value) {
        return switch (value.numberType()) {
            case INT -> NODES.numberNode(value.intValue());
            case LONG -> NODES.numberNode(value.longValue());
            case BIG_INTEGER -> NODES.numberNode(value.bigIntegerValue());
            case FLOAT, DOUBLE -> NODES.numberNode(value.doubleValue());
            case BIG_DECIMAL -> NODES.numberNode(value.decimalValue());
        };
    }
}
