package dev.parley.platform.http;

import io.micronaut.http.HttpStatus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Optimistic locking: {@code ETag} carries the version that was read, {@code If-Match} the version to change. */
public final class IfMatch {
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"(\\d{1,18})\"");

    private IfMatch() {}

    /** The entity tag of a version. */
    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * Requires that the header names the current version.
     *
     * @throws ApiException 428 if the header is missing, 412 with the current tag if it names another version
     */
    public static void require(@Nullable String header, long current) {
        if (header == null) {
            throw new ApiException(
                            HttpStatus.PRECONDITION_REQUIRED,
                            "if_match_required",
                            "Send the ETag of the version that you change as If-Match.")
                    .etag(tag(current));
        }
        check(header, current);
    }

    /** Like {@link #require}, except that a missing header stands for any version. */
    public static void check(@Nullable String header, long current) {
        if (header == null || header.strip().equals("*")) {
            return;
        }
        for (String item : header.split(",")) {
            Matcher tag = TAG.matcher(item.strip());
            if (!tag.matches()) {
                throw ApiException.badRequest("invalid_if_match", "If-Match is an ETag such as \"3\", or *");
            }
            if (Long.parseLong(tag.group(1)) == current) {
                return;
            }
        }
        throw new ApiException(
                        HttpStatus.PRECONDITION_FAILED,
                        "version_conflict",
                        "It has changed since: its version is " + current + " now.")
                .etag(tag(current));
    }
}
