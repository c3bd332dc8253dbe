package dev.parley.workflows.work;

import java.util.Optional;

/**
 * gRPC status codes in numerical order, each with its HTTP status.
 *
 * @see <a href="https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto">google.rpc.Code</a>
 */
enum GrpcStatus {
    OK(200),
    CANCELLED(499),
    UNKNOWN(500),
    INVALID_ARGUMENT(400),
    DEADLINE_EXCEEDED(504),
    NOT_FOUND(404),
    ALREADY_EXISTS(409),
    PERMISSION_DENIED(403),
    RESOURCE_EXHAUSTED(429),
    FAILED_PRECONDITION(400),
    ABORTED(409),
    OUT_OF_RANGE(400),
    UNIMPLEMENTED(501),
    INTERNAL(500),
    UNAVAILABLE(503),
    DATA_LOSS(500),
    UNAUTHENTICATED(401);

    private final int http;

    GrpcStatus(int http) {
        this.http = http;
    }

    int http() {
        return http;
    }

    /** The status with this number; {@link #UNKNOWN} for unassigned numbers, as in gRPC clients. */
    static GrpcStatus of(String number) {
        return Optional.of(number.strip())
                .filter(text -> text.matches("\\d{1,2}"))
                .map(Integer::parseInt)
                .filter(index -> index < values().length)
                .map(index -> values()[index])
                .orElse(UNKNOWN);
    }
}
