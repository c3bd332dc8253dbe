package dev.parley.domain.permission;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The pattern of a rule in the notation that {@link Subject} gives URLs, so that a rule decides about every notation of
 * a URL. Wildcards stay wildcards. What cannot be read as a scheme and a host stays as it is, except for
 * {@link UrlEscapes}; so does what follows {@code **} in a host, for it could stand in a path.
 *
 * @param text in this notation
 * @param port in the text, with its colon; empty if there is none
 */
record UrlPattern(String text, String port) {
    /** Scheme, host and port, up to the path; a question mark in them is a wildcard. */
    private static final java.util.regex.Pattern ORIGIN = java.util.regex.Pattern.compile(
            "([^:/\\\\]++)://(\\[[^/\\\\\\]]++]|[^:/\\\\\\[\\]@]++)" + "(?::(?:0++(?=[0-9]))?([0-9*?]*+))?(?=/|$)");
    /** A host after whose last wildcard something stands that cannot be part of a port. */
    private static final java.util.regex.Pattern FIXED_END = java.util.regex.Pattern.compile("(?:.*[^0-9*?])?[0-9]*");

    private static final int IPV6_GROUPS = 8;

    /** The last patterns, by how they are written: a decision reads those of thousands of rules. */
    private static final Map<String, UrlPattern> READ = new ConcurrentHashMap<>();

    private static final int MAX_READ = 8_192;
    private static final int MAX_READ_LENGTH = 512;

    /** The pattern of a rule. */
    static UrlPattern of(String written) {
        if (written.length() > MAX_READ_LENGTH) {
            return read(written);
        }
        UrlPattern known = READ.get(written);
        if (known != null) {
            return known;
        }
        if (READ.size() >= MAX_READ) {
            READ.clear();
        }
        return READ.computeIfAbsent(written, UrlPattern::read);
    }

    private static UrlPattern read(String written) {
        String pattern = UrlEscapes.pattern(written);
        Matcher origin = ORIGIN.matcher(pattern);
        if (!origin.lookingAt()) {
            return new UrlPattern(pattern, "");
        }
        int wide = pattern.indexOf("**");
        if (wide >= 0 && wide < origin.end(2)) {
            String text = pattern.substring(0, wide).toLowerCase(Locale.ROOT) + pattern.substring(wide);
            return new UrlPattern(text, origin.group(3) == null ? "" : ":" + origin.group(3));
        }
        String scheme = origin.group(1).toLowerCase(Locale.ROOT);
        String host = host(origin.group(2));
        String port = colonAndPort(scheme, origin.group(3));
        String rest = pattern.substring(origin.end());
        boolean lacksPath = rest.isEmpty() && host.indexOf('?') < 0 && !port.contains("**");
        return new UrlPattern(scheme + "://" + host + port + (lacksPath ? "/" : rest), port);
    }

    private static String colonAndPort(String scheme, @Nullable String port) {
        if (port == null) {
            return "";
        }
        return ":" + (port.isEmpty() ? usualPort(scheme) : port);
    }

    /** The port that URLs of a scheme leave out; empty if there is none. */
    static String usualPort(String scheme) {
        return switch (scheme) {
            case "http" -> "80";
            case "https" -> "443";
            default -> "";
        };
    }

    /** A URL of a {@link Subject} with its port, even if that is the usual one. */
    static String withPort(String url) {
        Matcher origin = ORIGIN.matcher(url);
        if (!origin.lookingAt() || origin.group(3) != null) {
            return url;
        }
        String usual = usualPort(origin.group(1));
        return usual.isEmpty() ? url : url.substring(0, origin.end()) + ":" + usual + url.substring(origin.end());
    }

    /**
     * A host in lower case without a dot at its end, an IPv6 address as RFC 5952 writes it, and an IPv4 address in one
     * as IPv4. A dot stays where a wildcard before it could then match a port, too.
     */
    static String host(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            return address(lower);
        }
        if (!lower.endsWith(".")) {
            return lower;
        }
        String undotted = lower.substring(0, lower.length() - 1);
        return FIXED_END.matcher(undotted).matches() ? undotted : lower;
    }

    /** A zone is never parsed, for that would look for a network interface. */
    private static String address(String literal) {
        if (literal.indexOf('%') >= 0) {
            return literal;
        }
        InetAddress address;
        try {
            address = Inet6Address.ofLiteral(literal);
        } catch (IllegalArgumentException e) {
            return literal;
        }
        String groups = address.getHostAddress();
        return address instanceof Inet4Address ? groups : "[" + shorten(groups) + "]";
    }

    /** Writes the longest run of zeros, of equal ones the first, as {@code ::}. */
    private static String shorten(String groups) {
        for (int zeros = IPV6_GROUPS; zeros > 1; zeros--) {
            String shorter = groups.replaceFirst("(^|:)0(:0){" + (zeros - 1) + "}(:|$)", "::");
            if (!shorter.equals(groups)) {
                return shorter;
            }
        }
        return groups;
    }

    /**
     * Whether it matches a URL. If it has a port, that of the URL counts even if it is the usual one.
     *
     * @param url of a {@link Subject}
     * @param urlWithPort the same {@link #withPort}
     */
    boolean matches(String url, String urlWithPort) {
        return Pattern.matches(text, url, false) || (!port.isEmpty() && Pattern.matches(text, urlWithPort, false));
    }

    /** Specificity of the text; a port adds nothing if it is the usual one or has wildcards. */
    int specificity() {
        String scheme = text.substring(0, Math.max(0, text.indexOf(':')));
        boolean counts = port.matches(":[0-9]+") && !port.equals(":" + usualPort(scheme));
        return Pattern.specificity(text) - (counts ? 0 : Pattern.specificity(port));
    }
}
