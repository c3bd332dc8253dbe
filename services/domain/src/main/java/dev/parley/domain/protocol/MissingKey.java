package dev.parley.domain.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The error message of a model call without an API key, the only failure detail also shown to users. */
public final class MissingKey {
    private static final String TEXT = "no API key for provider ";
    private static final Pattern DETAIL = Pattern.compile(TEXT + "([a-z][a-z0-9_.-]{0,62})(: .*)?", Pattern.DOTALL);

    private MissingKey() {}

    /** The message for users. */
    public static String text(String provider) {
        return TEXT + provider;
    }

    /** The message, followed by a reason for operators. */
    public static String detail(String provider, String reason) {
        return text(provider) + ": " + reason;
    }

    /** The provider, if the detail is such a message. */
    public static Optional<String> provider(String detail) {
        Matcher matcher = DETAIL.matcher(detail);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
