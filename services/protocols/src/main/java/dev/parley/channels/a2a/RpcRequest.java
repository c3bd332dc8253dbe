package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.a2a.A2aException.Failure;
import dev.parley.channels.a2a.A2aVersion.Method;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC call.
 *
 * @param id the caller's id, repeated in the response: a string or a number
 */
record RpcRequest(JsonNode id, String method, RequestFields params) {
    /**
     * Parses the envelope only.
     *
     * @throws A2aException where it is invalid
     */
    static RpcRequest read(byte[] body) {
        ObjectNode json;
        try {
            json = ProtocolJson.read(body);
        } catch (ProtocolException e) {
            throw new A2aException(Code.PARSE_ERROR, e.failure().message());
        }
        JsonNode id = json.path("id");
        if (!id.isTextual() && !id.isIntegralNumber()) {
            throw new A2aException(Code.INVALID_REQUEST, "A call has an 'id': a string or an integer.");
        }
        if (!"2.0".equals(json.path("jsonrpc").asText()) || !json.path("method").isTextual()) {
            throw new A2aException(Code.INVALID_REQUEST, "A call has 'jsonrpc', which is 2.0, and a 'method'.");
        }
        return new RpcRequest(id, json.path("method").textValue(), readParams(json.path("params")));
    }

    private static RequestFields readParams(JsonNode params) {
        if (!params.isMissingNode() && !params.isNull() && !params.isObject()) {
            throw A2aException.invalid("'params' is an object.");
        }
        return RequestFields.of(params.isObject() ? params : ProtocolJson.object());
    }

    /** The id in a body, as far as it can be parsed; null for none. */
    static @Nullable JsonNode idOf(byte[] body) {
        try {
            JsonNode id = ProtocolJson.read(body).path("id");
            return id.isTextual() || id.isIntegralNumber() ? id : null;
        } catch (ProtocolException e) {
            return null;
        }
    }

    Method method(A2aVersion dialect) {
        return dialect.method(method);
    }

    /** The response. */
    ObjectNode result(ObjectNode result) {
        ObjectNode answer = envelope(id);
        answer.set("result", result);
        return answer;
    }

    private static ObjectNode envelope(@Nullable JsonNode id) {
        ObjectNode answer = ProtocolJson.object().put("jsonrpc", "2.0");
        answer.set("id", id == null ? ProtocolJson.object().nullNode() : id);
        return answer;
    }

    /**
     * The response to a refused call.
     *
     * @param id null where the call has none
     */
    static ObjectNode error(@Nullable JsonNode id, Failure failure) {
        ObjectNode answer = envelope(id);
        ObjectNode error =
                answer.putObject("error").put("code", failure.code().number()).put("message", failure.message());
        error.putArray("data").add(info(failure.code()));
        return answer;
    }

    /** The machine-readable error details. */
    static ObjectNode info(Code code) {
        ObjectNode info = ProtocolJson.object()
                .put("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                .put("reason", code.name())
                .put("domain", "a2a-protocol.org");
        info.putObject("metadata").put("timestamp", Instant.now().toString());
        return info;
    }
}
