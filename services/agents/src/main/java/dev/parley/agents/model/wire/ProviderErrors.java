package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.ErrorCategory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Maps errors of providers to failures. {@code error.code} and {@code error.type} take precedence over the HTTP status,
 * because servers use the latter inconsistently.
 */
public final class ProviderErrors {
    private static final int MAX_BRIEF = 500;
    private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);
    private static final Pattern KEY = Pattern.compile(
            "\\b(sk|key|pk|rk|xai)-[\\w*.-]{4,}|\\b(gsk|hf)_\\w{4,}|\\bAIza[\\w-]{10,}|\\b[Bb]earer\\s+\\S+|\\b[0-9A-Za-z]{32,}\\b");

    /** Messages about a context that is too long: some servers have no code for it. */
    private static final Pattern TOO_LONG = Pattern.compile(
            "context[ _](length|window|limit)|maximum context|prompt is too long|input is too long|too many (input )?tokens",
            Pattern.CASE_INSENSITIVE);

    /** Messages about moderated content, with status 403. */
    private static final Pattern MODERATED = Pattern.compile("moderation|flagged", Pattern.CASE_INSENSITIVE);

    private static final Pattern DELAY = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)s");
    private static final Pattern STATUS = Pattern.compile("[45]\\d\\d");

    /** The status of an error within a stream. */
    private static final int NO_STATUS = 0;

    private static final Map<String, ErrorCategory> WORDS = Map.ofEntries(
            Map.entry("invalid_api_key", ErrorCategory.AUTH),
            Map.entry("authentication_error", ErrorCategory.AUTH),
            Map.entry("permission_error", ErrorCategory.AUTH),
            Map.entry("billing_error", ErrorCategory.AUTH),
            // Status 429, but retries do not help: the account must be funded.
            Map.entry("insufficient_quota", ErrorCategory.AUTH),
            Map.entry("enforced_spend_limit_reached", ErrorCategory.AUTH),
            Map.entry("model_not_found", ErrorCategory.NOT_FOUND),
            Map.entry("not_found_error", ErrorCategory.NOT_FOUND),
            Map.entry("rate_limit_exceeded", ErrorCategory.RATE_LIMIT),
            Map.entry("rate_limit_error", ErrorCategory.RATE_LIMIT),
            Map.entry("overloaded_error", ErrorCategory.OVERLOADED),
            Map.entry("server_is_overloaded", ErrorCategory.OVERLOADED),
            Map.entry("slow_down", ErrorCategory.OVERLOADED),
            Map.entry("api_error", ErrorCategory.SERVER),
            Map.entry("server_error", ErrorCategory.SERVER),
            Map.entry("timeout_error", ErrorCategory.TIMEOUT),
            Map.entry("context_length_exceeded", ErrorCategory.CONTEXT_TOO_LONG),
            Map.entry("request_too_large", ErrorCategory.CONTEXT_TOO_LONG),
            Map.entry("content_filter", ErrorCategory.CONTENT_FILTER),
            Map.entry("content_policy_violation", ErrorCategory.CONTENT_FILTER));

    private ProviderErrors() {}

    /**
     * The failure of an HTTP error.
     *
     * @param header the headers of the response; null for an absent one
     * @param body the beginning of the response
     */
    static ModelFailure failure(int status, Function<String, @Nullable String> header, String body) {
        VerbatimJson error = error(body);
        String message = error.at("message").string(error.string(body));
        return new ModelFailure(
                category(status, error, message),
                "HTTP %d: %s".formatted(status, message.isBlank() ? "no reason given" : brief(message)),
                retryAfter(header, error),
                List.of());
    }

    /**
     * The failure in an event or a complete response: {@code {"error": …}}, or an object of the type {@code error}.
     * Null for others, including objects of another type with an error.
     */
    public static @Nullable ModelFailure findFailure(VerbatimJson event) {
        boolean isError = event.at("type").string(event.at("object").string()).equals("error");
        VerbatimJson error = event.at("error");
        if (error.isPresent() && (isError || event.at("type").string().isEmpty())) {
            return failure(error);
        }
        return isError ? failure(event) : null;
    }

    /** The failure of an error object within a stream. */
    public static ModelFailure failure(VerbatimJson error) {
        String message = error.at("message").string(error.string(error.text()));
        VerbatimJson code = error.at("code");
        String status = code.string(code.text());
        return new ModelFailure(
                category(STATUS.matcher(status).matches() ? Integer.parseInt(status) : NO_STATUS, error, message),
                brief(message));
    }

    /** The failure of a stream that ends without its last event. */
    public static ModelFailure brokenOff() {
        return new ModelFailure(ErrorCategory.NETWORK, "the answer broke off: the stream ended early");
    }

    /** {@code {"error": {…}}}, {@code {"error": "…"}} or {@code [{"error": {…}}]}; missing for anything else. */
    private static VerbatimJson error(String body) {
        VerbatimJson json = VerbatimJson.orMissing(body);
        VerbatimJson object = json.items().isEmpty() ? json : json.items().getFirst();
        return object.at("error").isPresent() ? object.at("error") : object;
    }

    private static ErrorCategory category(int status, VerbatimJson error, String message) {
        if (status != 429 && TOO_LONG.matcher(message).find()) {
            return ErrorCategory.CONTEXT_TOO_LONG;
        }
        if (status == 403 && MODERATED.matcher(message).find()) {
            return ErrorCategory.CONTENT_FILTER;
        }
        List<String> codes = Stream.of(error.at("details", "error_code"), error.at("code"), error.at("type"))
                .map(VerbatimJson::string)
                .toList();
        return codes.stream()
                .map(WORDS::get)
                .flatMap(Stream::ofNullable)
                .findFirst()
                .orElseGet(() -> status == NO_STATUS ? category(codes) : category(status));
    }

    /** Without a status, a server error, unless the code reports an invalid request. */
    private static ErrorCategory category(List<String> codes) {
        return codes.stream().anyMatch(code -> code.startsWith("invalid_"))
                ? ErrorCategory.INVALID_REQUEST
                : ErrorCategory.SERVER;
    }

    private static ErrorCategory category(int status) {
        return switch (status) {
            case 401, 402, 403, 407 -> ErrorCategory.AUTH;
            case 404 -> ErrorCategory.NOT_FOUND;
            case 408, 504 -> ErrorCategory.TIMEOUT;
            case 413 -> ErrorCategory.CONTEXT_TOO_LONG;
            case 409, 425 -> ErrorCategory.SERVER; // can be retried
            case 429 -> ErrorCategory.RATE_LIMIT;
            case 503, 529 -> ErrorCategory.OVERLOADED;
            default -> status >= 500 ? ErrorCategory.SERVER : ErrorCategory.INVALID_REQUEST;
        };
    }

    private static @Nullable Duration retryAfter(Function<String, @Nullable String> header, VerbatimJson error) {
        Duration wait = seconds(header.apply("retry-after-ms"), 0.001);
        if (wait == null) {
            wait = seconds(header.apply("retry-after"), 1);
        }
        if (wait == null) {
            wait = until(header.apply("retry-after"));
        }
        if (wait == null) {
            wait = retryDelay(error);
        }
        return wait == null || wait.isNegative() ? null : wait.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : wait;
    }

    /** Google's {@code RetryInfo} among the details: a number of seconds, as {@code "17.5s"}. */
    private static @Nullable Duration retryDelay(VerbatimJson error) {
        return error.at("details").items().stream()
                .map(detail -> DELAY.matcher(detail.at("retryDelay").string()))
                .filter(Matcher::matches)
                .map(delay -> seconds(delay.group(1), 1))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Duration seconds(@Nullable String number, double unit) {
        try {
            return number == null
                    ? null
                    : Duration.ofMillis(Math.round(Double.parseDouble(number.strip()) * unit * 1000));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Duration until(@Nullable String date) {
        try {
            return date == null
                    ? null
                    : Duration.between(
                            Instant.now(),
                            ZonedDateTime.parse(date.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** The beginning of a text for operators, on one line and with keys redacted. */
    public static String brief(String text) {
        String line = KEY.matcher(text.replaceAll("\\s+", " ").strip()).replaceAll("(key)");
        return line.length() <= MAX_BRIEF ? line : line.substring(0, MAX_BRIEF) + "…";
    }
}
