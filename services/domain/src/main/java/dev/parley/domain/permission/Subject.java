package dev.parley.domain.permission;

import java.net.URI;
import java.net.URISyntaxException;
import java.text.Normalizer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The subject of a tool call, normalised so that no other notation bypasses a rule.
 *
 * @param kind interpretation of the values
 * @param values all must be allowed; never empty
 * @param hidden commands that the arguments of a command might make it run: rules that name one and do not allow it
 *     apply
 */
public record Subject(Kind kind, List<String> values, List<String> hidden) {
    /** Kinds of subjects. */
    public enum Kind {
        /** The tool itself; the value is empty. */
        TOOL,
        /** A path, without {@code .} and {@code ..}. */
        PATH,
        /**
         * A URL, with lower-case scheme, {@linkplain UrlPattern#host normalised host} and {@link UrlEscapes}, without
         * user, usual port and fragment.
         */
        URL,
        /** The words of each command of a command line. */
        COMMAND
    }

    private static final int MAX_LENGTH = 4_096;
    private static final Pattern ENCODED = Pattern.compile("(?i)%(2e|2f|5c)");
    private static final Pattern PARENT = Pattern.compile("(^|/)\\.\\.(/|$)");
    /** What only some read as an IPv4 address, or not all as the same one: leading zeros may mean octal. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]+|(?:[0-9]+\\.)*0[0-9]+(?:\\.[0-9]+)*");

    /** Such a zero in the IPv4 part of an IPv6 address. */
    private static final Pattern OCTAL_IN_IPV6 = Pattern.compile("[:.]0[0-9]+[.\\]]");

    /** A call without a subject. */
    public static final Subject NONE = new Subject(Kind.TOOL, List.of(""), List.of());

    public Subject {
        values = List.copyOf(values);
        hidden = List.copyOf(hidden);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a call is about something");
        }
    }

    /**
     * The subject of a call with this argument.
     *
     * @throws IllegalArgumentException if the argument is missing or too long
     */
    public static Subject of(Kind kind, String argument) {
        if (kind != Kind.TOOL && argument.isBlank()) {
            throw new IllegalArgumentException("is missing");
        }
        if (argument.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("has more than " + MAX_LENGTH + " characters");
        }
        return switch (kind) {
            case TOOL -> NONE;
            case PATH -> new Subject(kind, List.of(path(argument)), List.of());
            case URL -> new Subject(kind, List.of(url(argument)), List.of());
            case COMMAND -> {
                CommandLine line = CommandLine.of(argument);
                yield new Subject(kind, line.commands(), line.hidden());
            }
        };
    }

    /** The value, or all values, one per line. */
    public String value() {
        return String.join("\n", values);
    }

    /** In normal form NFC, without {@code .}, {@code ..}, duplicate and trailing slashes. {@code ..} above the root stays at the root. */
    private static String path(String path) {
        var parts = new ArrayDeque<String>();
        String composed = Normalizer.normalize(path, Normalizer.Form.NFC);
        for (String part : composed.replace('\\', '/').split("/")) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    private static String url(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL", e);
        }
        if (uri.getScheme() == null || uri.getHost() == null) {
            throw new IllegalArgumentException("is not a URL with a scheme and a host");
        }
        String raw = uri.getRawPath() == null ? "" : uri.getRawPath();
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        String host = UrlPattern.host(uri.getHost());
        requireOneReading(uri.getHost(), host, raw);
        String query = uri.getRawQuery() == null ? "" : "?" + UrlEscapes.query(uri.getRawQuery());
        return scheme + "://" + host + port(scheme, uri.getPort()) + path(UrlEscapes.path(raw)) + query;
    }

    /** Rejects what servers and clients read in different ways. */
    private static void requireOneReading(String rawHost, String host, String rawPath) {
        if (ENCODED.matcher(rawPath).find()) {
            throw new IllegalArgumentException("has an encoded dot, slash or backslash; write it plainly");
        }
        if (rawPath.contains("//") && PARENT.matcher(rawPath).find()) {
            throw new IllegalArgumentException("has '..' and '//'; write it without them");
        }
        if (NUMBER.matcher(host).matches()
                || (rawHost.contains(".") && OCTAL_IN_IPV6.matcher(rawHost).find())) {
            throw new IllegalArgumentException("has a number as its host; write an address such as 192.0.2.1");
        }
        if (host.indexOf('%') >= 0) {
            throw new IllegalArgumentException("has an address with a zone; write it without");
        }
    }

    /** The port after a colon; empty for the usual one of the scheme. */
    private static String port(String scheme, int port) {
        boolean usual = port < 0 || UrlPattern.usualPort(scheme).equals(String.valueOf(port));
        return usual ? "" : ":" + port;
    }
}
