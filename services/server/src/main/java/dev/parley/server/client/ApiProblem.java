package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * An unsuccessful response of the API.
 *
 * @param json problem details (RFC 9457), or missing where the body has none
 */
public record ApiProblem(int status, JsonNode json) {
    /**
     * An error in a part of the request.
     *
     * @param pointer JSON pointer to the part
     * @param line from 1, in a request that is a text
     */
    public record FieldError(String pointer, int line, int column, String detail) {
        @Override
        public String toString() {
            return "line %d, column %d: %s".formatted(line, column, detail);
        }
    }

    public static ApiProblem of(int status, String body) {
        return new ApiProblem(status, ApiClient.parse(body));
    }

    public String detail() {
        return detail(status == 401 ? "The key is wrong" : "The server answered " + status);
    }

    /** @param fallback the text for a response without problem details */
    public String detail(String fallback) {
        return json.path("detail").asText(fallback);
    }

    /** The errors of a request that is a text; those of other requests are in the detail, too. */
    public List<FieldError> errors() {
        var errors = new ArrayList<FieldError>();
        for (JsonNode error : json.path("errors")) {
            if (error.has("line")) {
                errors.add(new FieldError(
                        error.path("pointer").asText(),
                        error.path("line").asInt(),
                        error.path("column").asInt(),
                        error.path("detail").asText()));
            }
        }
        return errors;
    }
}
