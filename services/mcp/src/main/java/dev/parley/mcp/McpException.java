package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A JSON-RPC error with its HTTP status. */
final class McpException extends RuntimeException {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;
    static final int RESOURCE_NOT_FOUND = -32002;
    static final int HEADER_MISMATCH = -32020;
    static final int UNSUPPORTED_VERSION = -32022;

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;

    private final int code;
    private final int status;
    private final transient @Nullable JsonNode data;

    private McpException(int code, int status, String message, @Nullable JsonNode data) {
        super(message, null, false, false);
        this.code = code;
        this.status = status;
        this.data = data;
    }

    /** The body is not valid JSON. */
    static McpException unreadable() {
        return new McpException(PARSE_ERROR, BAD_REQUEST, "The body is not valid JSON in UTF-8.", null);
    }

    /** The body is not a JSON-RPC message. */
    static McpException invalidRequest(String message) {
        return new McpException(INVALID_REQUEST, BAD_REQUEST, message, null);
    }

    /** A field that every request must have is missing. */
    static McpException malformed(String message) {
        return new McpException(INVALID_PARAMS, BAD_REQUEST, message, null);
    }

    /** The parameters of a method are invalid. */
    static McpException invalidParams(String message) {
        return new McpException(INVALID_PARAMS, OK, message, null);
    }

    /** A header differs from the body. */
    static McpException headerMismatch(String message) {
        return new McpException(HEADER_MISMATCH, BAD_REQUEST, message, null);
    }

    /** The version is not supported. */
    static McpException unsupportedVersion(String requested, List<String> supported) {
        ObjectNode data = McpJson.object();
        supported.forEach(data.putArray("supported")::add);
        data.put("requested", requested);
        return new McpException(UNSUPPORTED_VERSION, BAD_REQUEST, "Unsupported protocol version", data);
    }

    static McpException unknownMethod(String method, McpVersion version) {
        return new McpException(
                METHOD_NOT_FOUND, version.isModern() ? NOT_FOUND : OK, "There is no method '" + method + "'.", null);
    }

    /** The resource does not exist, or the caller may not see it. */
    static McpException unknownResource(String uri, String reason, McpVersion version) {
        return new McpException(
                version.isModern() ? INVALID_PARAMS : RESOURCE_NOT_FOUND,
                OK,
                reason,
                McpJson.object().put("uri", uri));
    }

    /** The server failed; the request may be valid. */
    static McpException internal(String message) {
        return new McpException(INTERNAL_ERROR, OK, message, null);
    }

    /** Too many requests are in progress. */
    static McpException busy() {
        return new McpException(
                INTERNAL_ERROR, TOO_MANY, "Too many requests are in progress: try again in a moment.", null);
    }

    /** The HTTP status. */
    int status() {
        return status;
    }

    /** The JSON-RPC code. */
    int code() {
        return code;
    }

    /**
     * The error as a message.
     *
     * @param id of the request; null if it could not be read, then the field is omitted
     */
    ObjectNode json(@Nullable JsonNode id) {
        ObjectNode error = McpJson.object().put("code", code).put("message", getMessage());
        if (data != null) {
            error.set("data", data);
        }
        return message(id, error);
    }

    /** A message with an error. */
    static ObjectNode message(@Nullable JsonNode id, ObjectNode error) {
        ObjectNode json = McpJson.object().put("jsonrpc", RpcMessage.VERSION);
        if (id != null) {
            json.set("id", id);
        }
        json.set("error", error);
        return json;
    }
}
