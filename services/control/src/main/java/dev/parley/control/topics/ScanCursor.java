package dev.parley.control.topics;

import dev.parley.platform.http.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pagination cursor of a scan: for each unfinished partition, the offset before which nothing was read yet. Opaque
 * to clients.
 */
final class ScanCursor {
    private static final Pattern PLAIN = Pattern.compile("\\d{1,5}:\\d{1,18}(,\\d{1,5}:\\d{1,18}){0,9999}");

    private ScanCursor() {}

    static String of(Map<Integer, OffsetRange> remaining) {
        String plain = new TreeMap<>(remaining)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue().end())
                        .collect(Collectors.joining(","));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The remaining ranges of a topic.
     *
     * @param allRanges the current ranges of its partitions
     * @throws ApiException 400 for an invalid cursor
     */
    static Map<Integer, OffsetRange> remainingRanges(String cursor, Map<Integer, OffsetRange> allRanges) {
        var remaining = new TreeMap<Integer, OffsetRange>();
        for (String position : decode(cursor).split(",", -1)) {
            int colon = position.indexOf(':');
            OffsetRange range = allRanges.get(Integer.parseInt(position, 0, colon, 10));
            if (range == null) {
                throw invalid();
            }
            long end = Long.parseLong(position, colon + 1, position.length(), 10);
            remaining.put(
                    Integer.parseInt(position, 0, colon, 10),
                    new OffsetRange(range.begin(), Math.min(range.end(), end)));
        }
        return remaining;
    }

    private static String decode(String cursor) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (PLAIN.matcher(plain).matches()) {
                return plain;
            }
        } catch (IllegalArgumentException e) {
            // not base64
        }
        throw invalid();
    }

    private static ApiException invalid() {
        return ApiException.badRequest("invalid_cursor", "cursor must be the 'next' of the previous page, unchanged");
    }
}
