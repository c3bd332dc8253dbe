package dev.parley.workflows.erasure;

import dev.parley.workflows.erasure.ErasedProcessRows.Row;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;

/** Repository of {@code workflows.process_info_t}, for the erasure of a project. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ErasedProcessRows extends GenericRepository<Row, UUID> {
    /** @param aggregateVersion number of its events */
    @MappedEntity(value = "process_info_t", schema = "workflows")
    record Row(@Id UUID processId, long aggregateVersion) {}

    /** The first processes of a project. */
    @Query("""
            SELECT process_id, aggregate_version FROM workflows.process_info_t
            WHERE host_id = :host AND project_id = :project ORDER BY process_id LIMIT 50
            """)
    List<Row> batch(UUID host, UUID project);

    /** Deletes processes; locks them in the order of their ids, because every instance erases. */
    @Query("""
            DELETE FROM workflows.process_info_t WHERE host_id = :host AND process_id IN (
              SELECT process_id FROM workflows.process_info_t
              WHERE host_id = :host AND project_id = :project AND process_id = ANY (CAST(:processes AS uuid[]))
              ORDER BY process_id FOR UPDATE)
            """)
    void delete(UUID host, UUID project, @TypeDef(type = DataType.STRING_ARRAY) List<UUID> processes);
}
