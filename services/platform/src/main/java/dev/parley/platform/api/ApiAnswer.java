package dev.parley.platform.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response of the API.
 *
 * @param contentType without parameters
 * @param retryAfter value of the header in seconds, or null
 */
public record ApiAnswer(
        int status,
        String contentType,
        byte[] body,
        @Nullable String retryAfter) {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final int MAX_DETAIL = 2_000;

    public boolean isDone() {
        return status >= 200 && status < 300;
    }

    /** Whether the resource is forbidden or unknown to the caller. */
    public boolean isHidden() {
        return status == 403 || status == 404;
    }

    /** The body as a JSON object, if it is one. */
    public Optional<ObjectNode> object() {
        try {
            return JSON.readTree(body) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The body as a text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The code of a problem; empty for other responses. */
    public String code() {
        return isDone()
                ? ""
                : object().map(problem -> problem.path("code").asText("")).orElse("");
    }

    /** The problem and advice, in sentences. */
    public String problem() {
        String detail =
                object().map(problem -> problem.path("detail").asText("")).orElse("");
        String summary = detail.isBlank() ? "Parley's API answered with HTTP " + status : detail.strip();
        String sentence = abbreviate(summary) + (summary.endsWith(".") ? "" : ".");
        String code = code().isEmpty() ? "" : " (" + code() + ")";
        return (sentence + code + " " + advice()).strip();
    }

    private static String abbreviate(String text) {
        return text.length() <= MAX_DETAIL ? text : text.substring(0, MAX_DETAIL) + "…";
    }

    private String advice() {
        return switch (status) {
            case 400, 422 -> "Change the arguments and call the tool again.";
            case 401 -> "The key has expired or was revoked: connect again with another one.";
            case 403 -> "Ask a leader of the project for the permission, or use a key that has it.";
            case 404 -> "Look the name up with one of the tools that list or search.";
            case 409 -> "Check the current state before you try again.";
            case 413 -> "Send less at once.";
            case 429 -> "Try again " + (retryAfter == null ? "in a moment." : "in " + retryAfter + " s.");
            default ->
                status >= 500 ? "Try again in a moment; with the same idempotency_key nothing is done twice." : "";
        };
    }
}
