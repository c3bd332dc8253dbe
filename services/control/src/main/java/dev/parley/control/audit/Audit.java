package dev.parley.control.audit;

import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Correlation;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the audit log, in the transaction of the audited change. Text that is too long is truncated. */
@Singleton
public final class Audit {
    private static final int MAX_WORD = 126;
    private static final int MAX_TEXT = 500;

    private final Database database;
    private final AuditRows rows;

    Audit(Database database, AuditRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /**
     * An audited action.
     *
     * @param source the kind of entity, such as {@code user} or {@code api-key}
     * @param action such as {@code create}
     * @param subject the id of the entity
     */
    public record Entry(
            UUID host,
            @Nullable UUID project,
            String source,
            String action,
            String subject,
            @Nullable String user,
            @Nullable String correlation,
            boolean success,
            @Nullable String message) {
        /** A successful action. */
        public static Entry done(
                UUID host, @Nullable UUID project, String source, String action, Object subject, String user) {
            return new Entry(host, project, source, action, subject.toString(), user, null, true, null);
        }

        /** A copy of the entry with a message. */
        public Entry withMessage(@Nullable String text) {
            return new Entry(host, project, source, action, subject, user, correlation, success, text);
        }

        /** A copy of the entry as a failure. */
        public Entry withFailure(String reason) {
            return new Entry(host, project, source, action, subject, user, correlation, false, reason);
        }
    }

    /** Adds an entry with the correlation id and the visible key prefix of the current request. */
    public void add(Entry entry) {
        String correlation = entry.correlation() == null ? Correlation.current().orElse(null) : entry.correlation();
        String key = ServerRequestContext.currentRequest()
                .flatMap(Caller::of)
                .map(caller -> caller.key().prefix())
                .orElse(null);
        save(new AuditEntry(
                UUID.randomUUID(),
                entry.host(),
                entry.project(),
                entry.source(),
                entry.action(),
                entry.subject(),
                entry.user(),
                key,
                correlation,
                Instant.now(),
                entry.success(),
                entry.message()));
    }

    /** Stores the entry of another service; a duplicate has no effect. */
    public void store(AuditEntry entry) {
        database.in(Tenant.of(entry.host()), () -> {
            if (!rows.existsByHostIdAndAuditLogId(entry.host(), entry.id())) {
                save(entry);
            }
        });
    }

    private void save(AuditEntry entry) {
        rows.save(new AuditRow(
                entry.host(),
                entry.id(),
                entry.project(),
                cut(entry.source(), MAX_WORD),
                cut(entry.correlation(), MAX_WORD),
                cut(entry.user(), MAX_WORD),
                entry.at(),
                entry.success() ? "Y" : "N",
                cut(entry.action(), MAX_WORD),
                cut(entry.subject(), MAX_WORD),
                cut(entry.key(), MAX_WORD),
                cut(entry.message(), MAX_TEXT),
                cut(entry.comment(), MAX_TEXT)));
    }

    private static @Nullable String cut(@Nullable String text, int max) {
        if (text == null) {
            return null;
        }
        String clean = text.replace('\0', ' ');
        return clean.codePointCount(0, clean.length()) <= max
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, max - 1)) + "…";
    }
}
