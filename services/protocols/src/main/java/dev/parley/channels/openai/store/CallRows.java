package dev.parley.channels.openai.store;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.openai_call_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface CallRows extends GenericRepository<StoredCall, UUID> {
    @Query("""
        SELECT host_id, call_id, project_id, session, turn_id, step, usage::text AS usage FROM channels.openai_call_t
        WHERE host_id = :host AND project_id = :project AND call_id = :id
        """)
    Optional<StoredCall> find(UUID host, UUID project, UUID id);

    @Query("""
        INSERT INTO channels.openai_call_t (host_id, call_id, project_id, session, turn_id, step, usage)
        VALUES (:host, :id, :project, :session, :turn, :step, CAST(:usage AS json)) ON CONFLICT (host_id, call_id) DO NOTHING
        """)
    void insert(UUID host, UUID id, UUID project, String session, UUID turn, int step, @Nullable String usage);

    @Query("DELETE FROM channels.openai_call_t WHERE host_id = :host AND project_id = :project AND session = :session")
    int deleteOfSession(UUID host, UUID project, String session);

    @Query("DELETE FROM channels.openai_call_t WHERE host_id = :host AND project_id = :project")
    int deleteOfProject(UUID host, UUID project);

    /** Deletes calls that are older than 30 days, at most 1,000. */
    @Query("""
        DELETE FROM channels.openai_call_t WHERE ctid IN (
          SELECT ctid FROM channels.openai_call_t WHERE created_ts < now() - interval '30 days' LIMIT 1000)
        """)
    int purge();
}
