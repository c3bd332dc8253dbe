package dev.parley.channels.bots;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.bot_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface BotRows extends GenericRepository<BotState, String> {
    List<BotState> findByHostId(UUID host);

    @Query("""
            INSERT INTO channels.bot_t AS b (host_id, bot, owner, owned_ts) VALUES (:host, :bot, :owner, now())
            ON CONFLICT (host_id, bot) DO UPDATE SET owner = excluded.owner, owned_ts = excluded.owned_ts, problem = NULL,
              problem_ts = NULL, update_ts = now(), aggregate_version = b.aggregate_version + 1
            """)
    void setOwner(UUID host, String bot, String owner);

    @Query("""
            UPDATE channels.bot_t SET problem = :problem,
              problem_ts = CASE WHEN CAST(:problem AS text) IS NULL THEN NULL ELSE now() END,
              update_ts = now(), aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND bot = :bot AND owner = :owner
            """)
    void setProblem(UUID host, String bot, String owner, @Nullable String problem);
}
