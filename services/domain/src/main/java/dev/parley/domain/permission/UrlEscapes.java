package dev.parley.domain.permission;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One notation of characters in URLs (RFC 3986, section 6.2.2): letters, digits and {@code -._~} are not escaped, in
 * paths neither are {@code !$&'()+,;=:@}, which servers decode there; other escapes are in upper case, and what a URL
 * cannot contain is escaped as UTF-8.
 */
final class UrlEscapes {
    private static final Pattern TO_CHECK = Pattern.compile("%([0-9A-Fa-f]{2})|[^\\x21-\\x7e]+|[\"<>^`{|}]");
    private static final String UNRESERVED = "-._~";
    private static final String PLAIN_IN_PATHS = UNRESERVED + "!$&'()+,;=:@";

    private UrlEscapes() {}

    /** A path in this notation. */
    static String path(String path) {
        return normalize(path, PLAIN_IN_PATHS);
    }

    /** A query in this notation. */
    static String query(String query) {
        return normalize(query, UNRESERVED);
    }

    /** The pattern of a rule in this notation; its query begins at the first question mark. */
    static String pattern(String pattern) {
        int query = pattern.indexOf('?');
        return query < 0 ? path(pattern) : path(pattern.substring(0, query)) + query(pattern.substring(query));
    }

    private static String normalize(String text, String plain) {
        return TO_CHECK.matcher(text).replaceAll(found -> Matcher.quoteReplacement(normalize(found, plain)));
    }

    private static String normalize(MatchResult found, String plain) {
        String hex = found.group(1);
        if (hex == null) {
            return escape(found.group());
        }
        char decoded = (char) Integer.parseInt(hex, 16);
        boolean isPlain = decoded < 0x80 && (Character.isLetterOrDigit(decoded) || plain.indexOf(decoded) >= 0);
        return isPlain ? String.valueOf(decoded) : found.group().toUpperCase(Locale.ROOT);
    }

    private static String escape(String text) {
        var escaped = new StringBuilder();
        for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
            escaped.append("%%%02X".formatted(unit));
        }
        return escaped.toString();
    }
}
