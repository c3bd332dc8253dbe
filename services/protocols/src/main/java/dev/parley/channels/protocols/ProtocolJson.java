package dev.parley.channels.protocols;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** JSON of the protocols: null members are written where clients expect them. */
public final class ProtocolJson {
    private static final ObjectMapper MAPPER = JsonMappers.request();

    private ProtocolJson() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    public static byte[] bytes(JsonNode json) {
        try {
            return MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The response 200 with this body. */
    public static HttpResponse<byte[]> response(JsonNode json) {
        return HttpResponse.ok(bytes(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    public static String text(JsonNode json) {
        return json.toString();
    }

    @SuppressWarnings("unchecked") // an object's fields have texts as names
    public static Map<String, Object> map(JsonNode object) {
        return MAPPER.convertValue(object, Map.class);
    }

    /** An object that {@link #text} has written. */
    public static ObjectNode parse(String json) {
        try {
            return (ObjectNode) MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A list that {@link #text} has written. */
    public static ArrayNode parseArray(String json) {
        try {
            return (ArrayNode) MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws ProtocolException 400 where it is not a JSON object */
    public static ObjectNode read(byte[] body) {
        try {
            if (MAPPER.readTree(body) instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            throw ProtocolException.invalid(null, "The body is not valid JSON.");
        }
        throw ProtocolException.invalid(null, "The body is not a JSON object.");
    }
}
