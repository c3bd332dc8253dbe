package dev.parley.sessions.api;

import dev.parley.sessions.api.ModelCallController.ModelCall;
import dev.parley.sessions.api.ModelCallController.ModelResponse;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.model_call_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ModelCallRows extends GenericRepository<ModelCall, UUID> {
    String OF_TURN = """
            FROM sessions.model_call_t
            WHERE host_id = :host AND project_id = :project AND session_id = :session AND turn_id = :turn
            """;

    /**
     * A page of the attempts of a turn, oldest first.
     *
     * @param after the last call of the previous page, or null
     */
    @Query("""
            SELECT call_id AS call, attempt, purpose, step, provider_id AS provider, model_id AS model, finish_reason AS finish,
              error_type AS error, error_detail AS detail, payer, completed_ts AS completed_at,
            """ + TurnRows.USAGE + "AS usage " + OF_TURN + """
              AND (CAST(:after AS uuid) IS NULL
                   OR (completed_ts, call_id) > (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY completed_ts, call_id LIMIT :limit
            """)
    List<ModelCall> page(
            UUID host,
            UUID project,
            UUID session,
            UUID turn,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    @Query("SELECT response_raw AS response " + OF_TURN + "AND call_id = :call AND attempt = :attempt")
    Optional<ModelResponse> findResponse(UUID host, UUID project, UUID session, UUID turn, UUID call, int attempt);
}
