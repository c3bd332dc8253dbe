package dev.parley.platform.http;

import io.micronaut.context.annotation.Primary;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders errors raised by Micronaut as problem details, never with a stack trace or an internal message. */
@Primary
@Singleton
final class ProblemResponses implements ErrorResponseProcessor<Problem> {
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("Unknown property \\[([^\\]]*)]");
    private static final Pattern INVALID_UTF8 = Pattern.compile("(Invalid UTF-8)");
    private static final String FAILED = "The server failed to handle the request; its log has the cause.";
    private static final int MAX_DETAIL = 500;

    @Override
    public MutableHttpResponse<Problem> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
        Problem problem = problem(context, response.status());
        return response.status(problem.status()).contentType(Problem.MEDIA_TYPE).body(problem);
    }

    private static Problem problem(ErrorContext context, HttpStatus status) {
        String path = context.getRequest().getPath();
        Throwable cause = context.getRootCause().orElse(null);
        if (find(cause, ApiException.class) instanceof ApiException e) { // from the validation of a body
            return Problem.of(e, path);
        }
        Optional<String> field = find(cause, UNKNOWN_FIELD);
        if (field.isPresent()) {
            return Problem.of(HttpStatus.BAD_REQUEST, "unknown_field", "Unknown field '" + field.get() + "'", path);
        }
        if (status.getCode() >= 500) {
            return Problem.of(status, Problem.code(status), FAILED, path);
        }
        return switch (status) {
            case BAD_REQUEST -> badRequest(context, cause, path);
            case NOT_FOUND -> Problem.of(status, "not_found", "There is nothing at " + path, path);
            case REQUEST_ENTITY_TOO_LARGE ->
                Problem.of(status, "too_large", "The body of the request is larger than the server takes.", path);
            default -> Problem.of(status, Problem.code(status), detail(context, status), path);
        };
    }

    private static Problem badRequest(ErrorContext context, @Nullable Throwable cause, String path) {
        if (find(cause, CharacterCodingException.class) != null
                || find(cause, INVALID_UTF8).isPresent()) {
            return Problem.of(HttpStatus.BAD_REQUEST, "invalid_utf8", "The body is not valid UTF-8.", path);
        }
        return BadInput.of(cause)
                .map(bad -> Problem.of(HttpStatus.BAD_REQUEST, bad.code(), clip(bad.detail()), path))
                .orElseGet(() -> Problem.of(
                        HttpStatus.BAD_REQUEST, "bad_request", detail(context, HttpStatus.BAD_REQUEST), path));
    }

    private static String detail(ErrorContext context, HttpStatus status) {
        String text = context.getErrors().stream().map(ProblemResponses::text).collect(Collectors.joining("; "));
        String line = text.lines()
                .findFirst()
                .orElse("")
                .replaceAll("\\[?dev\\.parley\\S*", "")
                .strip();
        if (line.isEmpty()) {
            return status.getReason();
        }
        return clip(line);
    }

    private static String clip(String line) {
        return line.length() > MAX_DETAIL ? line.substring(0, MAX_DETAIL) + "…" : line;
    }

    private static String text(Error error) {
        return error.getPath()
                        .filter(path -> !path.isBlank())
                        .map(path -> path + ": ")
                        .orElse("")
                + error.getMessage();
    }

    private static Optional<String> find(@Nullable Throwable cause, Pattern pattern) {
        for (Throwable throwable : BadInput.causes(cause)) {
            Matcher matcher = pattern.matcher(String.valueOf(throwable.getMessage()));
            if (matcher.find()) {
                return Optional.of(matcher.group(1));
            }
        }
        return Optional.empty();
    }

    private static @Nullable Throwable find(@Nullable Throwable cause, Class<? extends Throwable> type) {
        return BadInput.causes(cause).stream()
                .filter(type::isInstance)
                .findFirst()
                .orElse(null);
    }
}
