package dev.parley.platform.http;

import dev.parley.domain.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The sort key of the last row of a page; opaque to clients. */
public record Cursor(String first, String second) {
    /** Maximum number of rows of a page. */
    public static final int MAX = 200;

    private static final int DEFAULT = 50;

    /**
     * The size of a page.
     *
     * @param requested null for the default
     */
    public static int limit(@Nullable Integer requested) {
        if (requested != null && requested < 1) {
            throw ApiException.badRequest("invalid_limit", "limit is 1 to " + MAX);
        }
        return requested == null ? DEFAULT : Math.min(requested, MAX);
    }

    public static @Nullable Cursor parse(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int bar = plain.indexOf('|');
            if (bar < 0) {
                throw invalid();
            }
            return new Cursor(plain.substring(0, bar), plain.substring(bar + 1));
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    public static String of(Object first, Object second) {
        byte[] plain = (first + "|" + second).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain);
    }

    public Instant time() {
        try {
            return Instant.parse(first);
        } catch (DateTimeParseException e) {
            throw invalid();
        }
    }

    /** The time of a cursor; null on the first page. */
    public static @Nullable Instant timeOf(@Nullable Cursor after) {
        return after == null ? null : after.time();
    }

    /** The id of a cursor; null on the first page. */
    public static @Nullable UUID idOf(@Nullable Cursor after) {
        return after == null ? null : after.id();
    }

    /** The number of a cursor; null on the first page. */
    public static @Nullable Long firstNumberOf(@Nullable Cursor after) {
        return after == null ? null : after.firstNumber();
    }

    public UUID id() {
        try {
            return Ids.parse(second);
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    public long firstNumber() {
        return number(first);
    }

    public int secondNumber() {
        return Math.clamp(number(second), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid();
        }
    }

    private static ApiException invalid() {
        return ApiException.badRequest("invalid_cursor", "cursor must be the unchanged 'next' of the previous page");
    }
}
