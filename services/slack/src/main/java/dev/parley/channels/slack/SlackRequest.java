package dev.parley.channels.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.ExactJson;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Parser of Slack's HTTP bodies: events are JSON, presses JSON in a form, slash commands a form. */
final class SlackRequest {
    private static final ObjectMapper JSON = ExactJson.request();
    private static final int MAX_FIELDS = 100;

    private SlackRequest() {}

    /** @throws IllegalArgumentException for anything else */
    static JsonNode payload(byte[] body, boolean form) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (!form) {
            return json(text);
        }
        ObjectNode fields = JSON.createObjectNode();
        for (String field : text.split("&", MAX_FIELDS)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(decode(field.substring(0, equals)), decode(field.substring(equals + 1)));
            }
        }
        return fields.has("payload") ? json(fields.get("payload").asText()) : fields;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static JsonNode json(String text) {
        try {
            JsonNode read = JSON.readTree(text);
            if (read != null && read.isObject()) {
                return read;
            }
        } catch (JsonProcessingException e) {
            // thrown below, without the content
        }
        throw new IllegalArgumentException("not a JSON object");
    }
}
