package dev.parley.domain.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a model call says that nobody has given a key for its provider: the one detail of a failure that people read, too. */
public final class MissingKey {
    private static final String TEXT = "no API key for provider ";
    private static final Pattern DETAIL = Pattern.compile(TEXT + "([a-z][a-z0-9_.-]{0,62})(: .*)?", Pattern.DOTALL);

    private MissingKey() {}

    /** The sentence. */
    public static String text(String provider) {
        return TEXT + provider;
    }

    /** The sentence as the detail of a failure, with a reason for operators. */
    public static String detail(String provider, String why) {
        return text(provider) + ": " + why;
    }

    /** The provider, where a detail says this. */
    public static Optional<String> provider(String detail) {
        Matcher matcher = DETAIL.matcher(detail);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
