package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A JSON-RPC 2.0 message of a client. */
sealed interface RpcMessage {
    /** The version of JSON-RPC. */
    String VERSION = "2.0";

    /** The maximum size in bytes: the text of a turn, 1 MiB, may be escaped. */
    int MAX_BYTES = 4 << 20;

    /** The maximum length of an id. */
    int MAX_ID_LENGTH = 1_000;

    String method();

    /** The parameters, or an empty object. */
    ObjectNode params();

    /**
     * A request.
     *
     * @param id a text or an integer, which the response repeats
     */
    record Request(JsonNode id, String method, ObjectNode params) implements RpcMessage {
        /** The field {@code _meta} of the parameters, or an empty object. */
        ObjectNode meta() {
            return params.get("_meta") instanceof ObjectNode meta ? meta : McpJson.object();
        }

        /** The response with a result. */
        ObjectNode answer(ObjectNode result) {
            ObjectNode json = McpJson.object().put("jsonrpc", VERSION);
            json.set("id", id);
            json.set("result", result);
            return json;
        }
    }

    /** A notification, which has no response. */
    record Notification(String method, ObjectNode params) implements RpcMessage {}

    /** The body is not a valid message. Has the id of the request if it could be read. */
    final class UnreadableException extends Exception {
        private final transient @Nullable JsonNode id;
        private final McpException error;

        UnreadableException(@Nullable JsonNode id, McpException error) {
            super(error.getMessage(), error, false, false);
            this.id = id;
            this.error = error;
        }

        @Nullable
        JsonNode id() {
            return id;
        }

        McpException error() {
            return error;
        }
    }

    /**
     * Reads a message.
     *
     * @throws UnreadableException for invalid messages and batches
     */
    static RpcMessage read(byte[] body) throws UnreadableException {
        JsonNode json;
        try {
            json = McpJson.read(body);
        } catch (IOException e) {
            throw new UnreadableException(null, McpException.unreadable());
        }
        if (json.isArray()) {
            throw new UnreadableException(
                    null, McpException.invalidRequest("Batches are not supported: send one message per request."));
        }
        if (json.isMissingNode()) {
            throw new UnreadableException(null, McpException.unreadable());
        }
        if (!(json instanceof ObjectNode object)) {
            throw new UnreadableException(null, McpException.invalidRequest("A message is a JSON object."));
        }
        return read(object);
    }

    private static RpcMessage read(ObjectNode object) throws UnreadableException {
        JsonNode id = object.get("id");
        JsonNode validId = isId(id) ? id : null;
        JsonNode method = object.get("method");
        String fault = fault(object, id, method);
        if (fault != null) {
            throw new UnreadableException(validId, McpException.invalidRequest(fault));
        }
        ObjectNode params = object.get("params") instanceof ObjectNode value ? value : McpJson.object();
        String name = method == null ? "" : method.asText();
        return validId == null ? new Notification(name, params) : new Request(validId, name, params);
    }

    private static @Nullable String fault(ObjectNode object, @Nullable JsonNode id, @Nullable JsonNode method) {
        if (!VERSION.equals(object.path("jsonrpc").textValue())) {
            return "A message has \"jsonrpc\": \"2.0\".";
        }
        if (method == null && (object.has("result") || object.has("error"))) {
            return "The server sends no requests, so a response is not expected.";
        }
        if (method == null || !method.isTextual()) {
            return "A message has a 'method', which is a text.";
        }
        if (id != null && !isId(id)) {
            return "An 'id' is a text of at most 1,000 characters or a whole number.";
        }
        return object.has("params") && !object.get("params").isObject() ? "'params' is an object." : null;
    }

    /** Whether this is a valid request id or progress token. */
    static boolean isId(@Nullable JsonNode id) {
        return id != null
                && (id.isTextual() && id.textValue().length() <= MAX_ID_LENGTH
                        || id.isIntegralNumber() && id.canConvertToLong());
    }
}
