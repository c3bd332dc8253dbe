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

/** Writes down what was done, in the transaction that does it. Text that is too long is cut, never refused. */
@Singleton
public final class Audit {
    private static final int WORD = 126;
    private static final int TEXT = 500;

    private final Database database;
    private final AuditRows rows;

    Audit(Database database, AuditRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /**
     * What was done.
     *
     * @param source what kind of thing, such as {@code user} or {@code api-key}
     * @param action what was done with it, such as {@code create}
     * @param subject the id of the thing
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
        /** Something that was done. */
        public static Entry done(
                UUID host, @Nullable UUID project, String source, String action, Object subject, String user) {
            return new Entry(host, project, source, action, subject.toString(), user, null, true, null);
        }

        /** The same with a message. */
        public Entry withMessage(@Nullable String text) {
            return new Entry(host, project, source, action, subject, user, correlation, success, text);
        }

        /** The same as a failure. */
        public Entry failed(String why) {
            return new Entry(host, project, source, action, subject, user, correlation, false, why);
        }
    }

    /** Adds it, with the id of the request that it was done for, and the visible part of the key that was shown. */
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

    /** Keeps what another service tells of; told again it changes nothing. */
    public void keep(AuditEntry entry) {
        database.in(Tenant.of(entry.host()), () -> {
            if (!rows.existsByHostIdAndAuditLogId(entry.host(), entry.id())) {
                save(entry);
            }
            return entry;
        });
    }

    private void save(AuditEntry entry) {
        rows.save(new AuditRow(
                entry.host(),
                entry.id(),
                entry.project(),
                cut(entry.source(), WORD),
                cut(entry.correlation(), WORD),
                cut(entry.user(), WORD),
                entry.at(),
                entry.success() ? "Y" : "N",
                cut(entry.action(), WORD),
                cut(entry.subject(), WORD),
                cut(entry.key(), WORD),
                cut(entry.message(), TEXT),
                null));
    }

    private static @Nullable String cut(@Nullable String text, int most) {
        if (text == null) {
            return null;
        }
        String clean = text.replace('\0', ' ');
        return clean.codePointCount(0, clean.length()) <= most
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, most - 1)) + "…";
    }
}
