package dev.parley.channels.openai.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import org.jspecify.annotations.Nullable;

/** Metadata of a request: at most 16 strings by name. {@code session} names the session. */
public record RequestMetadata(ObjectNode pairs, @Nullable String session) {
    private static final String FIELD = "metadata";
    private static final int MAX_PAIRS = 16;
    private static final int MAX_NAME = 64;
    private static final int MAX_VALUE = 512;

    public static RequestMetadata read(RequestFields body) {
        RequestFields metadata = body.object(FIELD);
        ObjectNode pairs = ProtocolJson.object();
        for (var pair : metadata.json().properties()) {
            JsonNode value = pair.getValue();
            if (!value.isTextual()
                    || value.textValue().length() > MAX_VALUE
                    || pair.getKey().length() > MAX_NAME) {
                throw body.invalid(FIELD, "an object of texts of at most 512 characters, with names of at most 64");
            }
            pairs.set(pair.getKey(), value);
        }
        if (pairs.size() > MAX_PAIRS) {
            throw body.invalid(FIELD, "an object of at most 16 pairs");
        }
        String session = pairs.path("session").textValue();
        return new RequestMetadata(pairs, session == null || session.isBlank() ? null : session);
    }
}
