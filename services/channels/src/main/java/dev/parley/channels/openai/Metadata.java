package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.Fields;
import dev.parley.channels.protocols.Json;
import org.jspecify.annotations.Nullable;

/** What a client notes about a request: at most 16 texts by name. {@code session} names the session. */
record Metadata(ObjectNode pairs, @Nullable String session) {
    private static final String FIELD = "metadata";
    private static final int MOST = 16;
    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_VALUE = 512;

    static Metadata read(Fields body) {
        Fields given = body.object(FIELD);
        ObjectNode pairs = Json.object();
        for (var pair : given.json().properties()) {
            JsonNode value = pair.getValue();
            if (!value.isTextual()
                    || value.textValue().length() > LONGEST_VALUE
                    || pair.getKey().length() > LONGEST_NAME) {
                throw body.wrong(FIELD, "an object of texts of at most 512 characters, with names of at most 64");
            }
            pairs.set(pair.getKey(), value);
        }
        if (pairs.size() > MOST) {
            throw body.wrong(FIELD, "an object of at most 16 pairs");
        }
        String session = pairs.path("session").textValue();
        return new Metadata(pairs, session == null || session.isBlank() ? null : session);
    }
}
