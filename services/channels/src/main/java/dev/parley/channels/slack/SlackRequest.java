package dev.parley.channels.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** The payload of what Slack brings over HTTP: events are JSON, presses are JSON in a form, slash commands are a form. */
final class SlackRequest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_FIELDS = 100;

    private SlackRequest() {}

    /** @throws IllegalArgumentException where it is none of these */
    static JsonNode payload(byte[] body, boolean form) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (!form) {
            return json(text);
        }
        ObjectNode fields = JSON.createObjectNode();
        for (String field : text.split("&", MOST_FIELDS)) {
            int border = field.indexOf('=');
            if (border > 0) {
                fields.put(decoded(field.substring(0, border)), decoded(field.substring(border + 1)));
            }
        }
        return fields.has("payload") ? json(fields.get("payload").asText()) : fields;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static JsonNode json(String text) {
        try {
            JsonNode read = JSON.readTree(text);
            if (read != null && read.isObject()) {
                return read;
            }
        } catch (JsonProcessingException e) {
            // said below, without what stands there
        }
        throw new IllegalArgumentException("no JSON object");
    }
}
