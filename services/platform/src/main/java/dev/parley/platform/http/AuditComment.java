package dev.parley.platform.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a user says about their request, in its body. The audit log has it in the entry of an {@link Audited} route. */
public final class AuditComment {
    private static final String ATTRIBUTE = "dev.parley.audit.comment";

    private AuditComment() {}

    /** Sets the comment of the current request; null and blank texts are none. Returns the comment, or null. */
    public static @Nullable String of(@Nullable String text) {
        String comment = text == null || text.isBlank() ? null : text.strip();
        if (comment != null) {
            ServerRequestContext.currentRequest().ifPresent(request -> request.setAttribute(ATTRIBUTE, comment));
        }
        return comment;
    }

    /** The comment of a request. */
    static Optional<String> find(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, String.class);
    }
}
