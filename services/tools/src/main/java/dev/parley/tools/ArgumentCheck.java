package dev.parley.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.schema.JsonSchema;
import java.util.List;

/** Parses the arguments of one tool, applies defaults, and validates them against its schema. */
final class ArgumentCheck {
    private static final ObjectMapper JSON = JsonMappers.shared();

    private final JsonSchema schema;

    /** @throws IllegalArgumentException when the parameters of the tool are not a valid JSON Schema */
    ArgumentCheck(ToolSpec spec) {
        try {
            schema = JsonSchema.ofArguments(spec.parameters());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the parameters of the tool '" + spec.name() + "' are not a valid JSON Schema: " + e.getMessage(),
                    e);
        }
    }

    /**
     * The validated arguments.
     *
     * @throws BadArguments naming the invalid fields
     */
    JsonNode read(String arguments) throws BadArguments {
        ObjectNode read = parse(arguments);
        schema.complete(read);
        List<String> errors = schema.errors(read);
        if (!errors.isEmpty()) {
            throw new BadArguments(String.join("; ", errors));
        }
        return read;
    }

    private static ObjectNode parse(String arguments) throws BadArguments {
        try {
            if (JSON.readTree(arguments) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw new BadArguments("the arguments are not valid JSON: " + e.getOriginalMessage());
        }
        throw new BadArguments("the arguments are not a JSON object");
    }

    /** Invalid arguments of a call. */
    static final class BadArguments extends Exception {
        BadArguments(String message) {
            super(message);
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }
}
