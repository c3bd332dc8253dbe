package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a question that ends a run. It contains the approval and the turn, so every instance can resolve it, also
 * after a restart.
 */
record Interrupt(UUID approval, UUID turn) {
    private static final Pattern FORM = Pattern.compile("ask_([0-9a-f]{32})_([0-9a-f]{32})");

    /** Parses an id; empty where it is malformed. */
    static Optional<Interrupt> parse(String id) {
        Matcher matcher = FORM.matcher(id);
        return matcher.matches()
                ? Optional.of(
                        new Interrupt(ExternalTurnId.uuid(matcher.group(1)), ExternalTurnId.uuid(matcher.group(2))))
                : Optional.empty();
    }

    String id() {
        return "ask_" + ExternalTurnId.hex(approval) + "_" + ExternalTurnId.hex(turn);
    }

    /** JSON Schema of the expected answer. */
    static ObjectNode responseSchema() {
        ObjectNode schema = ProtocolJson.object().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("approved").put("type", "boolean");
        var scopes = properties.putObject("scope").put("type", "string").putArray("enum");
        scopes.add("once").add("session").add("project").add("host");
        schema.putArray("required").add("approved");
        return schema;
    }
}
