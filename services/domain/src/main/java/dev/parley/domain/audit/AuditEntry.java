package dev.parley.domain.audit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that was done, or was tried. Ids and words, never what people said.
 *
 * @param id its identity: told twice it is one entry
 * @param host id of the tenant
 * @param project id of the project that it was done in, or null
 * @param source what kind of thing it was done with, such as {@code session}
 * @param action what was done with it, such as {@code share}
 * @param subject which one
 * @param user who did it
 * @param key the visible part of the key or token that was shown, or null
 * @param correlation id of the request or message that it was done for, or null
 * @param success whether it was done
 * @param message why not, or more about it, or null
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
        @Nullable String message) {}
