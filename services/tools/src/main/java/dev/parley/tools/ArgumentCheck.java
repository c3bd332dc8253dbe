package dev.parley.tools;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.domain.turn.ToolSpec;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Reads the arguments of one tool and holds them against its schema. */
final class ArgumentCheck {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int MOST_ERRORS = 5;
    private static final int LONGEST_ERROR = 300;

    private final Schema schema;

    /** @throws IllegalArgumentException when the spec's parameters are no JSON schema */
    ArgumentCheck(ToolSpec spec) {
        try {
            schema = schemas().getSchema(spec.parameters(), InputFormat.JSON);
            schema.initializeValidators(); // follows what it refers to, now rather than at the first call
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the parameters of the tool '" + spec.name() + "' are no JSON schema: " + e.getMessage(), e);
        }
    }

    /** A registry of one: no schema is looked up anywhere, not in the network, the class path or another tool's. */
    private static SchemaRegistry schemas() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.schemaLoader(loader -> loader.allow(_ -> false)));
    }

    /** The arguments. @throws BadArguments saying which field is wrong, and how */
    JsonNode read(String arguments) throws BadArguments {
        JsonNode read = parse(arguments);
        List<Error> errors = schema.validate(read);
        if (!errors.isEmpty()) {
            throw new BadArguments(
                    errors.stream().limit(MOST_ERRORS).map(ArgumentCheck::words).collect(Collectors.joining("; ")));
        }
        return read;
    }

    private static JsonNode parse(String arguments) throws BadArguments {
        JsonNode read;
        try {
            read = JSON.readTree(arguments);
        } catch (JacksonException e) {
            throw new BadArguments("the arguments are no JSON: " + e.getOriginalMessage());
        }
        if (!read.isObject()) {
            throw new BadArguments("the arguments are no JSON object");
        }
        return read;
    }

    private static String words(Error error) {
        String at = error.getInstanceLocation().toString();
        String words = (at.isEmpty() || at.equals("/") ? "" : at + ": ") + error.getMessage();
        return words.length() > LONGEST_ERROR ? words.substring(0, LONGEST_ERROR) + " …" : words;
    }

    /** The model wrote something that the tool does not take. */
    static final class BadArguments extends Exception {
        BadArguments(String why) {
            super(why);
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }
}
