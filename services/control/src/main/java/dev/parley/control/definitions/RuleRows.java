package dev.parley.control.definitions;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.permission_rule_t}. The project of a host rule is null. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface RuleRows extends GenericRepository<RuleRow, UUID> {
    String COLUMNS =
            "host_id, rule_id, project_id, agent, tool, pattern, action, locked, expires_ts, created_ts, update_user ";

    /**
     * Active rules, oldest first.
     *
     * @param after the last id of the previous page, or null
     */
    @Query("SELECT " + COLUMNS + """
            FROM control.permission_rule_t
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND active
              AND (CAST(:after AS uuid) IS NULL OR (created_ts, rule_id) > (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY created_ts, rule_id LIMIT :limit
            """)
    List<RuleRow> page(UUID host, @Nullable UUID project, @Nullable Instant afterTime, @Nullable UUID after, int limit);

    /** An active rule. */
    @Query("SELECT " + COLUMNS + """
            FROM control.permission_rule_t
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND active AND rule_id = :id
            """)
    Optional<RuleRow> find(@Nullable UUID host, @Nullable UUID project, UUID id);

    @Query("""
            SELECT count(*) FROM control.permission_rule_t
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND active
            """)
    long count(UUID host, @Nullable UUID project);

    /** Whether a rule with this id exists, deleted or not. */
    boolean existsByHostIdAndRuleId(UUID host, UUID id);

    @Query("""
            INSERT INTO control.permission_rule_t (host_id, rule_id, project_id, agent, tool, pattern, action, locked,
              expires_ts, update_user)
            VALUES (:host, :id, CAST(:project AS uuid), :agent, :tool, :pattern, :action, :locked,
              CAST(:expires AS timestamptz), :actor) RETURNING
            """ + COLUMNS)
    RuleRow insert(
            UUID host,
            UUID id,
            @Nullable UUID project,
            @Nullable String agent,
            String tool,
            String pattern,
            String action,
            boolean locked,
            @Nullable Instant expires,
            String actor);

    /** Deletes a rule; returns 0 where it does not exist, else 1. */
    @Query("""
            UPDATE control.permission_rule_t SET active = false, aggregate_version = aggregate_version + 1,
              update_ts = now(), update_user = :actor
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND active AND rule_id = :id
            """)
    int delete(UUID host, @Nullable UUID project, UUID id, String actor);

    /** Keeps only the newest deleted rules. */
    @Query("""
            DELETE FROM control.permission_rule_t
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND rule_id IN (
              SELECT rule_id FROM control.permission_rule_t
              WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND NOT active
              ORDER BY update_ts DESC OFFSET :retained)
            """)
    void purge(UUID host, @Nullable UUID project, int retained);
}
