package dev.parley.platform.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a user says about their request, in its body. The audit log has it in the entry of an {@link Audited} route. */
public final class AuditComment {
    private static final String ATTRIBUTE = "dev.parley.audit.comment";

    /** Maximum length of a comment in characters. The audit log has its beginning. */
    public static final int MAX_LENGTH = 2_000;

    private AuditComment() {}

    /**
     * Sets the comment of the current request; null and blank texts are none. A route reads it before anything else, so
     * that a request that fails has it as well.
     *
     * @param field of the request
     * @return the comment, or null
     * @throws ApiException 400 {@code invalid_<field>} if it is too long, or cannot be stored
     */
    public static @Nullable String of(String field, @Nullable String text) {
        String comment = text == null || text.isBlank() ? null : text.strip();
        if (comment != null) {
            if (comment.length() > MAX_LENGTH || !isStorable(comment)) {
                throw ApiException.badRequest(
                        "invalid_" + field,
                        "'%s' must be a text of at most %,d characters".formatted(field, MAX_LENGTH));
            }
            ServerRequestContext.currentRequest().ifPresent(request -> request.setAttribute(ATTRIBUTE, comment));
        }
        return comment;
    }

    private static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /** The comment of a request. */
    static Optional<String> find(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, String.class);
    }
}
