package dev.parley.sessions.api;

import dev.parley.platform.http.ApiException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the opinion that a list is filtered by. */
final class FeedbackFilter {
    private static final Set<String> OPINIONS = Set.of("good", "bad", "other");

    private FeedbackFilter() {}

    /**
     * The opinion; null for any and none.
     *
     * @throws ApiException 400 for an unknown opinion
     */
    static @Nullable String parse(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        if (!OPINIONS.contains(text)) {
            throw ApiException.badRequest("invalid_feedback", "feedback is good, bad or other");
        }
        return text;
    }
}
