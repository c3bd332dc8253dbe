package dev.parley.channels.bots.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code channels.person_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface ChannelPersonRows extends GenericRepository<ChannelPerson, String> {
    @Query("""
            SELECT EXISTS (SELECT FROM channels.person_t
              WHERE host_id = :host AND bot = :bot AND user_id = :user AND state = 'allowed')
            """)
    boolean isAllowed(UUID host, String bot, String user);

    /** Admitted users. */
    @Query("""
            SELECT user_id, name, update_ts FROM channels.person_t
            WHERE host_id = :host AND bot = :bot AND state = 'allowed' ORDER BY update_ts LIMIT 1000
            """)
    List<ChannelPerson> allowed(UUID host, String bot);

    @Query("SELECT count(*) FROM channels.person_t WHERE host_id = :host AND bot = :bot AND state = 'waiting'")
    int countWaiting(UUID host, String bot);

    @Query("DELETE FROM channels.person_t WHERE host_id = :host AND bot = :bot AND state = 'waiting' AND until < now()")
    void deleteEnded(UUID host, String bot);

    /** @return 0 where they have a code already, or were admitted */
    @Query("""
            INSERT INTO channels.person_t (host_id, bot, user_id, name, state, code_sha256, until)
            VALUES (:host, :bot, :user, :name, 'waiting', :code, now() + interval '1 hour') ON CONFLICT DO NOTHING
            """)
    int insert(UUID host, String bot, String user, String name, byte[] code);

    @Query(
            "DELETE FROM channels.person_t WHERE host_id = :host AND bot = :bot AND user_id = :user AND state = 'waiting'")
    void deleteWaiting(UUID host, String bot, String user);

    /** The user with this pending code, locked until the transaction ends. */
    @Query("""
            SELECT user_id, name, now() AS update_ts FROM channels.person_t
            WHERE host_id = :host AND bot = :bot AND state = 'waiting' AND code_sha256 = :code AND until > now() FOR UPDATE
            """)
    Optional<ChannelPerson> locked(UUID host, String bot, byte[] code);

    @Query("""
            UPDATE channels.person_t SET state = 'allowed', code_sha256 = NULL, until = NULL, update_ts = now(),
              aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND bot = :bot AND user_id = :user
            """)
    void allow(UUID host, String bot, String user);

    /** @return the number of deleted rows, 0 or 1 */
    @Query("DELETE FROM channels.person_t WHERE host_id = :host AND bot = :bot AND user_id = :user")
    int delete(UUID host, String bot, String user);

    /** @return the number of deleted rows */
    @Query("DELETE FROM channels.person_t WHERE host_id = :host AND bot = :bot")
    int deleteAll(UUID host, String bot);
}
