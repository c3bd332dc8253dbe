package dev.parley.platform.http;

import dev.parley.domain.Names;

/** Validation of names and other texts of one line in requests. */
public final class ReadableText {
    private ReadableText() {}

    /**
     * The text.
     *
     * @throws ApiException 400 naming the first character that cannot be seen
     */
    public static String require(String field, String text) {
        Names.problemOfText(text).ifPresent(problem -> {
            throw ApiException.badRequest("invalid_field", "The field '" + field + "' " + problem);
        });
        return text;
    }
}
