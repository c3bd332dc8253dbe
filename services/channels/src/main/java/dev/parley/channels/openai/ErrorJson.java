package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ProtocolException.Failure;
import dev.parley.domain.protocol.ErrorCategory;

/** Errors as the protocol writes them: {@code {"error":{message,type,param,code}}}. */
final class ErrorJson {
    private ErrorJson() {}

    static ObjectNode of(Failure failure) {
        ObjectNode all = Json.object();
        all.set("error", error(failure));
        return all;
    }

    static ObjectNode error(Failure failure) {
        return Json.object()
                .put("message", failure.message())
                .put("type", failure.type())
                .put("param", failure.param())
                .put("code", failure.code());
    }

    /**
     * Why a turn failed. Parley has tried it as often as it is worth: that the client tries it again is no use, which a header says.
     */
    static Failure of(ErrorCategory category, String message) {
        Failure failure = switch (category) {
            case RATE_LIMIT -> Failure.of(429, "rate_limit_exceeded", message);
            case BUDGET -> Failure.of(429, ProtocolException.INSUFFICIENT_QUOTA, message);
            case CONTENT_FILTER -> Failure.of(400, "content_filter", message);
            case CONTEXT_TOO_LONG -> Failure.of(400, "context_length_exceeded", message);
            case TIMEOUT, LOST -> Failure.of(504, category.code(), message);
            case OVERLOADED -> Failure.of(503, "overloaded", message);
            case CANCELLED -> Failure.of(409, "turn_cancelled", message);
            case AUTH, INVALID_REQUEST, NOT_FOUND, SERVER, NETWORK, UNKNOWN ->
                Failure.of(
                        502, category.code(), message); // what the model's provider refused is not the caller's fault
        };
        return failure.asFinal();
    }
}
