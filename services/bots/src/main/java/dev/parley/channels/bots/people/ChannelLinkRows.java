package dev.parley.channels.bots.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Repository of {@code channels.channel_link_t} and {@code channels.link_code_t}; erases what channels store of an
 * account.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface ChannelLinkRows extends GenericRepository<ChannelLink, UUID> {
    String SELECT = """
            SELECT link_id, bot, channel_user, name, user_id, code_sha256, update_ts
            FROM channels.channel_link_t WHERE host_id = :host
            """;

    @Query(SELECT + "AND bot = :bot AND channel_user = :user")
    Optional<ChannelLink> find(UUID host, String bot, String user);

    @Query(SELECT + "AND user_id = :account AND link_id = :id")
    Optional<ChannelLink> find(UUID host, UUID account, UUID id);

    @Query(SELECT + "ORDER BY update_ts DESC, link_id LIMIT 1000")
    List<ChannelLink> all(UUID host);

    /** Newest first. */
    @Query(SELECT + "AND user_id = :account ORDER BY update_ts DESC, link_id LIMIT 1000")
    List<ChannelLink> of(UUID host, UUID account);

    @Query("""
            INSERT INTO channels.channel_link_t AS l (host_id, link_id, bot, channel_user, name, user_id, code_sha256)
            VALUES (:host, :id, :bot, :user, :name, :account, :code)
            ON CONFLICT (host_id, bot, channel_user) DO UPDATE SET link_id = excluded.link_id, name = excluded.name,
              user_id = excluded.user_id, code_sha256 = excluded.code_sha256, update_ts = now(),
              aggregate_version = l.aggregate_version + 1
            """)
    void set(UUID host, UUID id, String bot, String user, String name, UUID account, byte[] code);

    /** @return the number of deleted rows, 0 or 1 */
    @Query("DELETE FROM channels.channel_link_t WHERE host_id = :host AND link_id = :id")
    int delete(UUID host, UUID id);

    @Query("DELETE FROM channels.link_code_t WHERE host_id = :host AND until < now()")
    void deleteEndedCodes(UUID host);

    /** Replaces the previous code. */
    @Query("""
            INSERT INTO channels.link_code_t AS c (host_id, user_id, code_sha256, until)
            VALUES (:host, :account, :code, :until)
            ON CONFLICT (host_id, user_id) DO UPDATE SET code_sha256 = excluded.code_sha256, until = excluded.until,
              update_ts = now(), aggregate_version = c.aggregate_version + 1
            """)
    void setCode(UUID host, UUID account, byte[] code, Instant until);

    /** The account of a code, locked until the transaction ends. */
    @Query("""
            SELECT user_id FROM channels.link_code_t
            WHERE host_id = :host AND code_sha256 = :code AND until > now() FOR UPDATE
            """)
    Optional<UUID> lockCode(UUID host, byte[] code);

    /** @return the number of deleted rows, 0 or 1 */
    @Query("DELETE FROM channels.link_code_t WHERE host_id = :host AND code_sha256 = :code")
    int deleteCode(UUID host, byte[] code);

    /**
     * Deletes all data of an account.
     *
     * @return the number of rows
     */
    @Query("""
            WITH l AS (DELETE FROM channels.channel_link_t WHERE host_id = :host AND user_id = :account
                RETURNING bot, channel_user),
              p AS (DELETE FROM channels.person_t p USING l
                WHERE p.host_id = :host AND p.bot = l.bot AND p.user_id = l.channel_user RETURNING 1),
              t AS (DELETE FROM channels.task_message_t WHERE host_id = :host AND user_id = :account RETURNING 1),
              c AS (DELETE FROM channels.link_code_t WHERE host_id = :host AND user_id = :account RETURNING 1)
            SELECT (SELECT count(*) FROM l) + (SELECT count(*) FROM p) + (SELECT count(*) FROM t) + (SELECT count(*) FROM c)
            """)
    long erase(UUID host, UUID account);
}
