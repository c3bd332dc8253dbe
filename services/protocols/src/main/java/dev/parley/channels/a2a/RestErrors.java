package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RetryAfterHeader;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;

/** Errors of the HTTP binding: {@code {"error":{code,status,message,details}}}. */
final class RestErrors {
    private RestErrors() {}

    static HttpResponse<?> response(Failure failure) {
        var response = HttpResponse.status(HttpStatus.valueOf(status(failure)));
        RetryAfterHeader.write(response, failure.retryAfter());
        return response.contentType(RestController.JSON).body(ProtocolJson.bytes(error(failure)));
    }

    static ObjectNode error(Failure failure) {
        ObjectNode envelope = ProtocolJson.object();
        ObjectNode error = envelope.putObject("error")
                .put("code", status(failure))
                .put("status", word(failure))
                .put("message", failure.message());
        error.putArray("details").add(RpcRequest.info(failure.code()));
        return envelope;
    }

    private static int status(Failure failure) {
        return switch (failure.code()) {
            case TASK_NOT_FOUND, METHOD_NOT_FOUND -> 404;
            case INTERNAL_ERROR, UNAUTHORIZED -> failure.status() == 200 ? 500 : failure.status();
            case PARSE_ERROR,
                    INVALID_REQUEST,
                    INVALID_PARAMS,
                    TASK_NOT_CANCELABLE,
                    PUSH_NOTIFICATION_NOT_SUPPORTED,
                    UNSUPPORTED_OPERATION,
                    CONTENT_TYPE_NOT_SUPPORTED,
                    VERSION_NOT_SUPPORTED -> failure.status() == 200 ? 400 : failure.status();
        };
    }

    /** The gRPC status. */
    private static String word(Failure failure) {
        return switch (failure.code()) {
            case TASK_NOT_FOUND, METHOD_NOT_FOUND -> "NOT_FOUND";
            case PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, CONTENT_TYPE_NOT_SUPPORTED ->
                failure.status() == 404 ? "NOT_FOUND" : "INVALID_ARGUMENT";
            case TASK_NOT_CANCELABLE, PUSH_NOTIFICATION_NOT_SUPPORTED, UNSUPPORTED_OPERATION, VERSION_NOT_SUPPORTED ->
                "FAILED_PRECONDITION";
            case UNAUTHORIZED -> failure.status() == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED";
            case INTERNAL_ERROR ->
                switch (failure.status()) {
                    case 429 -> "RESOURCE_EXHAUSTED";
                    case 503 -> "UNAVAILABLE";
                    default -> "INTERNAL";
                };
        };
    }
}
