package dev.parley.channels.bots;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.project_bot_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ProjectBotRows extends GenericRepository<ProjectBot, UUID> {
    String COLUMNS = """
            host_id, bot_id, bot, project_id, project_key, kind, CAST(settings AS text) AS settings,
            coalesce(sealed, '') AS sealed, coalesce(master_key_id, 0) AS master_key_id, coalesce(last4, '') AS last4, aggregate_version,
            active, update_ts, update_user
            """;

    /** Changes with every change of the table; rows are only deleted with their project. */
    @Introspected
    record Stamp(long bots, long versions, long latest) {}

    @Query("""
            SELECT count(*) AS bots, CAST(coalesce(sum(aggregate_version), 0) AS bigint) AS versions,
              CAST(coalesce(extract(epoch FROM max(update_ts)) * 1000000, 0) AS bigint) AS latest
            FROM channels.project_bot_t
            """)
    Stamp stamp();

    @Query("SELECT " + COLUMNS + "FROM channels.project_bot_t WHERE active ORDER BY bot")
    List<ProjectBot> active();

    @Query("SELECT " + COLUMNS
            + "FROM channels.project_bot_t WHERE host_id = :host AND project_id = :project AND active ORDER BY bot")
    List<ProjectBot> of(UUID host, UUID project);

    @Query("SELECT " + COLUMNS
            + "FROM channels.project_bot_t WHERE host_id = :host AND project_id = :project AND bot = :bot FOR UPDATE")
    Optional<ProjectBot> locked(UUID host, UUID project, String bot);

    @Query("SELECT count(*) FROM channels.project_bot_t WHERE host_id = :host AND project_id = :project")
    int count(UUID host, UUID project);

    @Query(
            "INSERT INTO channels.project_bot_t (host_id, bot_id, bot, project_id, project_key, kind, settings, account, sealed,"
                    + " master_key_id, last4, update_user) VALUES (:host, :id, :bot, :project, :projectKey, :kind,"
                    + " CAST(:settings AS jsonb), CAST(:account AS varchar), :sealed, :key, :last4, :user) RETURNING "
                    + COLUMNS)
    ProjectBot insert(
            UUID host,
            UUID id,
            String bot,
            UUID project,
            String projectKey,
            String kind,
            String settings,
            @Nullable String account,
            byte[] sealed,
            long key,
            String last4,
            String user);

    /** Also restores a removed bot. */
    @Query("""
            UPDATE channels.project_bot_t SET kind = :kind, settings = CAST(:settings AS jsonb),
              account = CAST(:account AS varchar), sealed = :sealed, master_key_id = :key, last4 = :last4, active = true,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :user
            WHERE host_id = :host AND bot_id = :id RETURNING
            """ + COLUMNS)
    ProjectBot renew(
            UUID host,
            UUID id,
            String kind,
            String settings,
            @Nullable String account,
            byte[] sealed,
            long key,
            String last4,
            String user);

    /** The token stays. */
    @Query("""
            UPDATE channels.project_bot_t SET settings = CAST(:settings AS jsonb),
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :user
            WHERE host_id = :host AND bot_id = :id RETURNING
            """ + COLUMNS)
    ProjectBot change(UUID host, UUID id, String settings, String user);

    @Query("""
            UPDATE channels.project_bot_t SET active = false, account = NULL, sealed = NULL, master_key_id = NULL, last4 = NULL,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :user
            WHERE host_id = :host AND bot_id = :id
            """)
    void remove(UUID host, UUID id, String user);

    /** Changes nothing visible, and so keeps the version. */
    @Query("""
            UPDATE channels.project_bot_t SET sealed = :sealed, master_key_id = :key
            WHERE host_id = :host AND bot_id = :id AND aggregate_version = :version AND active
            """)
    void reseal(UUID host, UUID id, long version, byte[] sealed, long key);

    /**
     * Deletes the bots of a project with all their data.
     *
     * @return the number of rows
     */
    @Query("""
            WITH gone AS (DELETE FROM channels.project_bot_t WHERE host_id = :host AND project_id = :project RETURNING bot),
              d AS (DELETE FROM channels.delivery_t WHERE host_id = :host AND bot IN (SELECT bot FROM gone)),
              s AS (DELETE FROM channels.sent_message_t WHERE host_id = :host AND bot IN (SELECT bot FROM gone)),
              c AS (DELETE FROM channels.chat_t WHERE host_id = :host AND bot IN (SELECT bot FROM gone)),
              b AS (DELETE FROM channels.bot_t WHERE host_id = :host AND bot IN (SELECT bot FROM gone)),
              p AS (DELETE FROM channels.person_t WHERE host_id = :host AND bot IN (SELECT bot FROM gone)),
              l AS (DELETE FROM channels.channel_link_t WHERE host_id = :host AND bot IN (SELECT bot FROM gone))
            SELECT count(*) FROM gone
            """)
    long deleteOfProject(UUID host, UUID project);
}
