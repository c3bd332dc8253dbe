package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** An answer that says no, in Telegram's words. */
final class ApiError extends RuntimeException {
    final int status;
    final String description;
    final ObjectNode parameters;

    ApiError(int status, String description, ObjectNode parameters) {
        super(status + " " + description);
        this.status = status;
        this.description = description;
        this.parameters = parameters;
    }

    static ApiError of(int status, String description) {
        return new ApiError(status, description, Json.object());
    }

    static ApiError bad(String text) {
        return of(400, "Bad Request: " + text);
    }

    static ApiError forbidden(String text) {
        return of(403, "Forbidden: " + text);
    }

    static ApiError conflict(String text) {
        return of(409, "Conflict: " + text);
    }

    static ApiError tooMany(long seconds) {
        return new ApiError(
                429, "Too Many Requests: retry after " + seconds, Json.object().put("retry_after", seconds));
    }

    /** Seconds to wait, or 0. */
    long retryAfter() {
        return parameters.path("retry_after").asLong();
    }

    ObjectNode json() {
        var json = Json.object().put("ok", false).put("error_code", status).put("description", description);
        if (!parameters.isEmpty()) {
            json.set("parameters", parameters);
        }
        return json;
    }
}
