package dev.parley.platform.http;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The time for which a request waits for the turn that it started: {@code ?wait=30s}. */
public final class WaitParameter {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)?");

    private WaitParameter() {}

    /**
     * The requested time, at most ten minutes; empty without the parameter.
     *
     * @throws ApiException 400 if it is not a time
     */
    public static Optional<Duration> parse(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw ApiException.badRequest("invalid_wait", "'wait' is a time such as 500ms, 30s or 5m");
        }
        long n = Long.parseLong(matcher.group(1));
        Duration wait = switch (Objects.requireNonNullElse(matcher.group(2), "s")) {
            case "ms" -> Duration.ofMillis(n);
            case "m" -> Duration.ofMinutes(n);
            default -> Duration.ofSeconds(n);
        };
        return Optional.of(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    }
}
