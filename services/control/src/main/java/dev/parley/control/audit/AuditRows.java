package dev.parley.control.audit;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.audit_log_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AuditRows extends GenericRepository<AuditRow, UUID> {
    boolean existsByHostIdAndAuditLogId(UUID host, UUID id);

    AuditRow save(AuditRow row);

    /**
     * A page of entries, newest first; null filters match all.
     *
     * @param after the last id of the previous page, or null
     */
    @Query("""
            SELECT host_id, audit_log_id, project_id, source_type_id, correlation_id, user_id, event_ts, success, message0,
              message1, message2, message, user_comment
            FROM control.audit_log_t WHERE host_id = :host
              AND (CAST(:source AS text) IS NULL OR source_type_id = :source)
              AND (CAST(:correlation AS text) IS NULL OR correlation_id = :correlation)
              AND (CAST(:user AS text) IS NULL OR user_id = :user)
              AND (CAST(:from AS timestamptz) IS NULL OR event_ts >= CAST(:from AS timestamptz))
              AND (CAST(:to AS timestamptz) IS NULL OR event_ts < CAST(:to AS timestamptz))
              AND (CAST(:after AS uuid) IS NULL
                   OR (event_ts, audit_log_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY event_ts DESC, audit_log_id DESC LIMIT :limit
            """)
    List<AuditRow> page(
            UUID host,
            @Nullable String source,
            @Nullable String correlation,
            @Nullable String user,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);
}
