package dev.parley.sessions.api;

import dev.parley.sessions.api.ModelCallController.ModelCall;
import dev.parley.sessions.api.ModelCallController.ModelResponse;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.model_call_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ModelCallRows extends GenericRepository<ModelCallRows.Row, UUID> {
    String OF_TURN = """
            FROM sessions.model_call_t
            WHERE host_id = :host AND project_id = :project AND session_id = :session AND turn_id = :turn
            """;

    /** An attempt of a call. */
    @MappedEntity(value = "model_call_t", schema = "sessions")
    record Row(
            @Id UUID callId,
            int attempt,
            String purpose,
            int step,
            @Nullable String providerId,
            @Nullable String modelId,
            String finishReason,
            @Nullable String errorType,
            @Nullable String errorDetail,
            @Nullable String payer,
            long tokensInput,
            long tokensOutput,
            long tokensReasoning,
            long tokensCacheRead,
            long tokensCacheWrite,
            @Nullable BigDecimal cost,
            Instant completedTs) {
        ModelCall json() {
            return new ModelCall(
                    callId,
                    attempt,
                    purpose,
                    step,
                    providerId,
                    modelId,
                    finishReason,
                    errorType,
                    errorDetail,
                    payer,
                    Usages.of(tokensInput, tokensOutput, tokensReasoning, tokensCacheRead, tokensCacheWrite, cost),
                    completedTs);
        }
    }

    /**
     * A page of the attempts of a turn, oldest first.
     *
     * @param after the last call of the previous page, or null
     */
    @Query("""
            SELECT call_id, attempt, purpose, step, provider_id, model_id, finish_reason, error_type, error_detail, payer,
              coalesce(tokens_input, 0) AS tokens_input, coalesce(tokens_output, 0) AS tokens_output,
              coalesce(tokens_reasoning, 0) AS tokens_reasoning, coalesce(tokens_cache_read, 0) AS tokens_cache_read,
              coalesce(tokens_cache_write, 0) AS tokens_cache_write, cost, completed_ts
            """ + OF_TURN + """
              AND (CAST(:after AS uuid) IS NULL
                   OR (completed_ts, call_id) > (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY completed_ts, call_id LIMIT :limit
            """)
    List<Row> page(
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
