package dev.parley.tools.rest;

import dev.parley.platform.outbound.Outbound;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/**
 * A URL with placeholders in its path, {@code https://api.example.com/users/{id}/posts}. A value cannot leave its path
 * segment.
 *
 * @param base the URL without the path
 * @param segments the path segments with placeholders
 */
record UrlTemplate(HttpUrl base, List<String> segments) {
    private static final Pattern WRITTEN = Pattern.compile("(https?://[^/?#{}\\\\]+)(/[^?#\\\\]*)?(\\?[^#{}]*)?");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w{1,100})}");
    private static final String UNRESERVED = "-._~";

    /** @throws IllegalArgumentException when this is not a valid template */
    static UrlTemplate of(String field, String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    field + " is a URL such as https://api.example.com/users/{id}, with placeholders in its path only");
        }
        String path = parts.group(2) == null ? "/" : parts.group(2);
        String query = parts.group(3) == null ? "" : parts.group(3);
        List<String> segments = Arrays.asList(path.substring(1).split("/", -1));
        for (String segment : segments) {
            String fixed = PLACEHOLDER.matcher(segment).replaceAll("x");
            if (fixed.matches(".*[{}].*") || isDots(fixed)) {
                throw new IllegalArgumentException(field + " has an invalid segment: " + segment);
            }
        }
        return new UrlTemplate(Outbound.url(field, parts.group(1) + "/" + query), List.copyOf(segments));
    }

    /** A template with this path and query below another URL, which has no query and placeholders. */
    UrlTemplate below(HttpUrl url) {
        var allSegments = new ArrayList<>(url.encodedPathSegments());
        if (allSegments.getLast().isEmpty()) {
            allSegments.removeLast();
        }
        allSegments.addAll(segments);
        HttpUrl root = url.newBuilder()
                .encodedPath("/")
                .encodedQuery(base.encodedQuery())
                .build();
        return new UrlTemplate(root, List.copyOf(allSegments));
    }

    /** The names of all placeholders. */
    Set<String> names() {
        var names = new LinkedHashSet<String>();
        segments.forEach(segment -> PLACEHOLDER.matcher(segment).results().forEach(found -> names.add(found.group(1))));
        return names;
    }

    /**
     * The URL with these values, one per placeholder.
     *
     * @throws BadValueException naming the invalid argument
     */
    HttpUrl expand(Map<String, String> values) throws BadValueException {
        HttpUrl.Builder url = base.newBuilder().removePathSegment(0);
        for (String segment : segments) {
            var bad = new ArrayList<String>();
            String encoded = PLACEHOLDER.matcher(segment).replaceAll(found -> {
                String value = values.getOrDefault(found.group(1), "");
                if (value.isEmpty() || Arrays.stream(value.split("[/\\\\]", -1)).anyMatch(UrlTemplate::isDots)) {
                    bad.add(found.group(1));
                }
                return Matcher.quoteReplacement(encode(value));
            });
            if (!bad.isEmpty() || isDots(encoded)) {
                throw new BadValueException("the argument '%s' cannot be empty, '.' or '..'"
                        .formatted(bad.isEmpty() ? segment : bad.get(0)));
            }
            url.addEncodedPathSegment(encoded);
        }
        return url.build();
    }

    /** An argument that is not a valid path segment. */
    static final class BadValueException extends Exception {
        private static final long serialVersionUID = 1;

        BadValueException(String message) {
            super(message);
        }
    }

    /** Whether the segment is {@code .} or {@code ..}. */
    private static boolean isDots(String segment) {
        return segment.matches("(?i)(\\.|%2e){1,2}");
    }

    private static String encode(String value) {
        var encoded = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%').append("%02X".formatted(b & 0xFF));
            }
        }
        return encoded.toString();
    }
}
