package dev.parley.workflows.api;

import dev.parley.workflows.api.ProcessRows.ProcessRow;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code workflows.process_info_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ProcessRows extends GenericRepository<ProcessRow, UUID> {
    String COLUMNS = """
            process_id, wf_instance_id, project_key, workflow, wf_def_id, status_code, phase, input_data, context_data,
              output_data, error_info, business, started_ts, started_user, completed_ts, deadline_ts, ex_trigger_ts,
              parent_process_id, origin_id, next
            """;

    /** Row of {@code workflows.process_info_t}: a process, with the names and order of its JSON. */
    @MappedEntity(value = "process_info_t", schema = "workflows")
    record ProcessRow(
            @Id @MappedProperty("process_id") UUID id,
            @MappedProperty("wf_instance_id") String instanceId,
            @MappedProperty("project_key") String project,
            String workflow,
            @MappedProperty("wf_def_id") UUID definitionId,
            @MappedProperty("status_code") String status,
            String phase,
            @MappedProperty("input_data") String input,
            @MappedProperty("context_data") @Nullable String context,
            @MappedProperty("output_data") @Nullable String output,
            @MappedProperty("error_info") @Nullable String error,
            String business,
            @MappedProperty("started_ts") Instant startedAt,
            @MappedProperty("started_user") @Nullable String startedBy,
            @MappedProperty("completed_ts") @Nullable Instant completedAt,
            @MappedProperty("deadline_ts") @Nullable Instant deadline,
            @MappedProperty("ex_trigger_ts") Instant triggerAt,
            @MappedProperty("parent_process_id") @Nullable UUID parentId,
            @Nullable UUID originId,
            String next) {
        Found found() {
            return new Found(id, project, startedAt, RowJson.of(this));
        }
    }

    @Query("SELECT " + COLUMNS
            + "FROM workflows.process_info_t WHERE host_id = CAST(:host AS uuid) AND process_id = :id")
    Optional<ProcessRow> find(String host, UUID id);

    /** Processes that a user has started, the newest first. */
    @Query("SELECT " + COLUMNS + """
            FROM workflows.process_info_t WHERE host_id = CAST(:host AS uuid) AND started_user = :user
            ORDER BY started_ts DESC LIMIT :limit
            """)
    List<ProcessRow> startedBy(String host, String user, int limit);
}
