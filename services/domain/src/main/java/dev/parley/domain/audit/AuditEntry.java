package dev.parley.domain.audit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An action or attempt. Contains ids and codes, and what the user says about it, but no content.
 *
 * @param id idempotency key
 * @param host the tenant
 * @param project id of the project concerned, or null
 * @param source kind of object, such as {@code session}
 * @param action such as {@code share}
 * @param subject id of the object
 * @param user the user who acted
 * @param key visible part of the API key or token, or null
 * @param correlation id of the request or message, or null
 * @param success whether the action succeeded
 * @param message reason for a failure, or details, or null
 * @param comment what the user says about the action, in their words, or null
 */
public record AuditEntry(
        UUID id,
        UUID host,
        @Nullable UUID project,
        String source,
        String action,
        String subject,
        @Nullable String user,
        @Nullable String key,
        @Nullable String correlation,
        Instant at,
        boolean success,
        @Nullable String message,
        @Nullable String comment) {
    /** An entry without a comment. */
    public AuditEntry(
            UUID id,
            UUID host,
            @Nullable UUID project,
            String source,
            String action,
            String subject,
            @Nullable String user,
            @Nullable String key,
            @Nullable String correlation,
            Instant at,
            boolean success,
            @Nullable String message) {
        this(id, host, project, source, action, subject, user, key, correlation, at, success, message, null);
    }
}
