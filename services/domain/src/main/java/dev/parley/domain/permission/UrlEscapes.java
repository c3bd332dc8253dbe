package dev.parley.domain.permission;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One notation of characters in URLs: letters, digits and {@code -._~} stand as they are, other escapes are in upper
 * case, and characters beyond ASCII are escaped as UTF-8 (RFC 3986, section 6.2.2).
 */
final class UrlEscapes {
    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})|[^\\x00-\\x7f]+");
    private static final String UNRESERVED = "-._~";

    private UrlEscapes() {}

    /** The text in this notation. */
    static String normalize(String text) {
        return ESCAPE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(normalize(found)));
    }

    private static String normalize(MatchResult found) {
        String hex = found.group(1);
        if (hex == null) {
            return URLEncoder.encode(found.group(), StandardCharsets.UTF_8);
        }
        char decoded = (char) Integer.parseInt(hex, 16);
        boolean plain = decoded < 0x80 && (Character.isLetterOrDigit(decoded) || UNRESERVED.indexOf(decoded) >= 0);
        return plain ? String.valueOf(decoded) : found.group().toUpperCase(Locale.ROOT);
    }
}
