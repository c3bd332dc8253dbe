package dev.parley.workflows.api;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code workflows.worklist_t} and its columns. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface WorklistRows extends GenericRepository<WorklistRow, String> {
    String COLUMNS =
            "host_id, assignee_id, category_id, status_code, app_id, aggregate_version, update_ts, update_user ";

    @Query("SELECT " + COLUMNS + """
            FROM workflows.worklist_t
            WHERE host_id = :host AND assignee_id = :assignee AND category_id = :category AND active
            """)
    Optional<WorklistRow> find(UUID host, String assignee, String category);

    /** The worklists of an assignee, by category; at most 1,000. */
    @Query("SELECT " + COLUMNS + """
            FROM workflows.worklist_t WHERE host_id = :host AND assignee_id = :assignee AND active
            ORDER BY category_id LIMIT 1000
            """)
    List<WorklistRow> findOf(UUID host, String assignee);

    @Query("""
            INSERT INTO workflows.worklist_t (host_id, assignee_id, category_id, status_code, app_id, update_user)
            VALUES (:host, :assignee, :category, :status, :app, :user)
            ON CONFLICT (host_id, assignee_id, category_id) DO UPDATE SET status_code = excluded.status_code,
              app_id = excluded.app_id, active = true, aggregate_version = worklist_t.aggregate_version + 1,
              update_ts = CASE WHEN worklist_t.status_code = excluded.status_code THEN worklist_t.update_ts ELSE now() END,
              update_user = excluded.update_user
            """)
    int put(UUID host, String assignee, String category, String status, String app, String user);

    @Query("""
            DELETE FROM workflows.worklist_t WHERE host_id = :host AND assignee_id = :assignee AND category_id = :category
            """)
    int delete(UUID host, String assignee, String category);

    /** Names of its columns, in order. */
    @Query("""
            SELECT column_id FROM workflows.worklist_column_t
            WHERE host_id = :host AND assignee_id = :assignee AND category_id = :category ORDER BY sequence_id
            """)
    List<String> columns(UUID host, String assignee, String category);

    @Query("""
            DELETE FROM workflows.worklist_column_t
            WHERE host_id = :host AND assignee_id = :assignee AND category_id = :category
            """)
    int clearColumns(UUID host, String assignee, String category);

    @Query("""
            INSERT INTO workflows.worklist_column_t (host_id, assignee_id, category_id, sequence_id, column_id, update_user)
            VALUES (:host, :assignee, :category, :sequence, :column, :user)
            """)
    int addColumn(UUID host, String assignee, String category, int sequence, String column, String user);
}
