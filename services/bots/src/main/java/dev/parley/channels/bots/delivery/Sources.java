package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.GrowingAnswer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pages that the result of a tool names. Addresses of hosts without a name, and those that may hold a secret, are
 * none.
 */
final class Sources {
    private static final int MAX_TEXT = 64 << 10;
    private static final int MAX_PATH = 200;
    /** Signatures and tokens are longer. */
    private static final int MAX_QUERY = 80;

    private static final Pattern ADDRESS =
            Pattern.compile("https?://[^\\s\"'<>\\\\^`{|}\\[\\]()]{4,500}(?<![.,;:!?*_~])");
    private static final Pattern NAME = Pattern.compile("(?:[\\w-]{1,63}\\.){1,10}[A-Za-z][A-Za-z-]{1,62}");

    private Sources() {}

    static List<URI> of(String result) {
        String begin = result.substring(0, Math.min(MAX_TEXT, result.length()));
        return ADDRESS.matcher(begin)
                .results()
                .map(MatchResult::group)
                .flatMap(address -> page(address).stream())
                .distinct()
                .limit(GrowingAnswer.MAX_SOURCES)
                .toList();
    }

    private static Optional<URI> page(String address) {
        try {
            URI page = new URI(address);
            boolean isNamed =
                    page.getHost() != null && NAME.matcher(page.getHost()).matches();
            return isNamed
                            && page.getRawUserInfo() == null
                            && length(page.getRawPath()) <= MAX_PATH
                            && length(page.getRawQuery()) <= MAX_QUERY
                    ? Optional.of(page)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static int length(@Nullable String part) {
        return part == null ? 0 : part.length();
    }
}
