package dev.parley.channels.openai.store;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.openai_response_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ResponseRows extends GenericRepository<StoredResponse, UUID> {
    String COLUMNS = """
        host_id, response_id, project_id, session, turn_id, turn_seq, first_step, user_id, spent::text AS spent,
        previous_id, conversation, request::text AS request, input::text AS input, context, result::text AS result,
        pieces::text AS pieces, created_ts
        """;

    @Query("SELECT " + COLUMNS
            + "FROM channels.openai_response_t WHERE host_id = :host AND project_id = :project AND response_id = :id")
    Optional<StoredResponse> find(UUID host, UUID project, UUID id);

    /** A repeated request is the same response. */
    @Query("""
        INSERT INTO channels.openai_response_t (host_id, response_id, project_id, session, turn_id, turn_seq, first_step,
          user_id, spent, previous_id, conversation, request, input, context)
        VALUES (:host, :id, :project, :session, :turn, :seq, :step, :user, CAST(:spent AS json), :previous, :conversation,
          CAST(:request AS json), CAST(:input AS json), :context)
        ON CONFLICT (host_id, response_id) DO NOTHING
        """)
    void insert(
            UUID host,
            UUID id,
            UUID project,
            String session,
            UUID turn,
            long seq,
            int step,
            UUID user,
            @Nullable String spent,
            @Nullable UUID previous,
            @Nullable String conversation,
            String request,
            @Nullable String input,
            String context);

    /** @return 0 where it has a result, or was deleted */
    @Query("""
        UPDATE channels.openai_response_t SET result = CAST(:result AS json), pieces = CAST(:pieces AS json),
          update_ts = now(), aggregate_version = aggregate_version + 1
        WHERE host_id = :host AND response_id = :id AND result IS NULL
        """)
    int complete(UUID host, UUID id, String result, String pieces);

    @Query("DELETE FROM channels.openai_response_t WHERE host_id = :host AND response_id = :id")
    int delete(UUID host, UUID id);

    @Query("DELETE FROM channels.openai_response_t WHERE host_id = :host AND project_id = :project AND session ="
            + " :session")
    int deleteOfSession(UUID host, UUID project, String session);

    @Query("DELETE FROM channels.openai_response_t WHERE host_id = :host AND project_id = :project")
    int deleteOfProject(UUID host, UUID project);

    /** Deletes responses that are older than 30 days, at most 1,000. */
    @Query("""
        DELETE FROM channels.openai_response_t WHERE ctid IN (
          SELECT ctid FROM channels.openai_response_t WHERE created_ts < now() - interval '30 days' LIMIT 1000)
        """)
    int purge();
}
