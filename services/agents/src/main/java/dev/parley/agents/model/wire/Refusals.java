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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What it means when a provider refuses or gives up. Its own word in {@code error.code} or {@code error.type} counts more
 * than the HTTP status, because servers disagree on the latter.
 */
public final class Refusals {
    private static final int BRIEF = 500;
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Pattern KEY = Pattern.compile(
            "\\b(sk|key|pk|rk|xai)-[\\w*.-]{4,}|\\b(gsk|hf)_\\w{4,}|\\bAIza[\\w-]{10,}|\\b[Bb]earer\\s+\\S+|\\b[0-9A-Za-z]{32,}\\b");

    /** No two servers say this alike, and some have no code for it. */
    private static final Pattern TOO_LONG = Pattern.compile(
            "context[ _](length|window|limit)|maximum context|prompt is too long|input is too long|too many (input )?tokens",
            Pattern.CASE_INSENSITIVE);

    /** With 403: the key is good, but what was said is not. */
    private static final Pattern MODERATED = Pattern.compile("moderation|flagged", Pattern.CASE_INSENSITIVE);

    private static final Pattern STATUS = Pattern.compile("[45]\\d\\d");

    /** Of an error within a stream, which has none. */
    private static final int NO_STATUS = 0;

    private static final Map<String, ErrorCategory> WORDS = Map.ofEntries(
            Map.entry("invalid_api_key", ErrorCategory.AUTH),
            Map.entry("authentication_error", ErrorCategory.AUTH),
            Map.entry("permission_error", ErrorCategory.AUTH),
            Map.entry("billing_error", ErrorCategory.AUTH),
            // Status 429, but no waiting helps: somebody has to pay.
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

    private Refusals() {}

    /**
     * The failure that a refusal stands for.
     *
     * @param header gives a header of the response, or null
     * @param body the beginning of the response
     */
    static ModelFailure failure(int status, Function<String, @Nullable String> header, String body) {
        JsonText error = error(body);
        String message = error.at("message").string(error.string(body));
        return new ModelFailure(
                category(status, error, message),
                "HTTP %d: %s".formatted(status, message.isBlank() ? "no reason given" : brief(message)),
                retryAfter(header),
                List.of());
    }

    /**
     * The failure that an event, or a whole answer, stands for: {@code {"error": …}}, or one that calls itself an error. Null
     * for any other, also where something of another type tells of an error.
     */
    public static @Nullable ModelFailure within(JsonText event) {
        boolean isError = event.at("type").string(event.at("object").string()).equals("error");
        JsonText error = event.at("error");
        if (error.isPresent() && (isError || event.at("type").string().isEmpty())) {
            return failure(error);
        }
        return isError ? failure(event) : null;
    }

    /** The failure that an error object within a stream stands for. */
    public static ModelFailure failure(JsonText error) {
        String message = error.at("message").string(error.string(error.text()));
        JsonText code = error.at("code");
        String status = code.string(code.text());
        return new ModelFailure(
                category(STATUS.matcher(status).matches() ? Integer.parseInt(status) : NO_STATUS, error, message),
                brief(message));
    }

    /** What a stream is that ends without its last event. */
    public static ModelFailure brokenOff() {
        return new ModelFailure(ErrorCategory.NETWORK, "the answer broke off: its stream ended before its end");
    }

    /** {@code {"error": {…}}}, {@code {"error": "…"}} or {@code [{"error": {…}}]}; missing for anything else. */
    private static JsonText error(String body) {
        JsonText json = JsonText.orMissing(body);
        JsonText object = json.items().isEmpty() ? json : json.items().getFirst();
        return object.at("error").isPresent() ? object.at("error") : object;
    }

    private static ErrorCategory category(int status, JsonText error, String message) {
        if (status != 429 && TOO_LONG.matcher(message).find()) {
            return ErrorCategory.CONTEXT_TOO_LONG;
        }
        if (status == 403 && MODERATED.matcher(message).find()) {
            return ErrorCategory.CONTENT_FILTER;
        }
        List<String> words = Stream.of(error.at("details", "error_code"), error.at("code"), error.at("type"))
                .map(JsonText::string)
                .toList();
        return words.stream()
                .map(WORDS::get)
                .flatMap(Stream::ofNullable)
                .findFirst()
                .orElseGet(() -> status == NO_STATUS ? category(words) : category(status));
    }

    /** Without a status it is as if the server had broken down, unless it says that the request is to blame. */
    private static ErrorCategory category(List<String> words) {
        return words.stream().anyMatch(word -> word.startsWith("invalid_"))
                ? ErrorCategory.INVALID_REQUEST
                : ErrorCategory.SERVER;
    }

    private static ErrorCategory category(int status) {
        return switch (status) {
            case 401, 402, 403, 407 -> ErrorCategory.AUTH;
            case 404 -> ErrorCategory.NOT_FOUND;
            case 408, 504 -> ErrorCategory.TIMEOUT;
            case 413 -> ErrorCategory.CONTEXT_TOO_LONG;
            case 409, 425 -> ErrorCategory.SERVER; // to be tried again
            case 429 -> ErrorCategory.RATE_LIMIT;
            case 503, 529 -> ErrorCategory.OVERLOADED;
            default -> status >= 500 ? ErrorCategory.SERVER : ErrorCategory.INVALID_REQUEST;
        };
    }

    private static @Nullable Duration retryAfter(Function<String, @Nullable String> header) {
        Duration wait = seconds(header.apply("retry-after-ms"), 0.001);
        if (wait == null) {
            wait = seconds(header.apply("retry-after"), 1);
        }
        if (wait == null) {
            wait = until(header.apply("retry-after"));
        }
        return wait == null || wait.isNegative() ? null : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
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

    /** The beginning of a text for operators, without line breaks and without anything that looks like a key. */
    public static String brief(String text) {
        String line = KEY.matcher(text.replaceAll("\\s+", " ").strip()).replaceAll("(key)");
        return line.length() <= BRIEF ? line : line.substring(0, BRIEF) + "…";
    }
}
