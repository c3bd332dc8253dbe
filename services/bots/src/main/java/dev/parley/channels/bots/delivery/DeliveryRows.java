package dev.parley.channels.bots.delivery;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.delivery_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface DeliveryRows extends GenericRepository<RecordedDelivery, UUID> {
    /** Whether one of these replies was delivered or abandoned. */
    @Query("SELECT EXISTS (SELECT FROM channels.delivery_t WHERE host_id = :host AND reply_id IN (:replies))")
    boolean has(UUID host, List<UUID> replies);

    /** A duplicate changes nothing. A reply of which a message was reported as failed has failed. */
    @Query("""
            INSERT INTO channels.delivery_t (host_id, reply_id, bot, chat, state, detail)
            SELECT :host, :reply, :bot, :chat,
              CASE WHEN m.failure IS NULL THEN :state ELSE 'failed' END, coalesce(m.failure, CAST(:detail AS text))
            FROM (SELECT min(failure) AS failure FROM channels.sent_message_t
                  WHERE host_id = :host AND reply_id = :reply) m
            ON CONFLICT DO NOTHING
            """)
    void insert(UUID host, UUID reply, String bot, String chat, String state, @Nullable String detail);

    /** A reply whose failure is reported after its delivery. */
    @Query("""
            UPDATE channels.delivery_t SET state = 'failed', detail = :reason, aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND reply_id = :reply AND bot = :bot
            """)
    void fail(UUID host, UUID reply, String bot, String reason);

    /** The newest of a bot; of one chat, or in one state, where these are not null. */
    @Query("""
            SELECT reply_id, chat, state, detail, update_ts FROM channels.delivery_t
            WHERE host_id = :host AND bot = :bot AND (CAST(:chat AS text) IS NULL OR chat = :chat)
              AND (CAST(:state AS text) IS NULL OR state = :state)
            ORDER BY update_ts DESC, reply_id LIMIT :limit
            """)
    List<RecordedDelivery> newest(UUID host, String bot, @Nullable String chat, @Nullable String state, int limit);

    /** @return the number of removed rows */
    @Query("""
            DELETE FROM channels.delivery_t WHERE ctid IN (
              SELECT ctid FROM channels.delivery_t WHERE update_ts < now() - make_interval(secs => :seconds) LIMIT :limit)
            """)
    int purge(long seconds, int limit);
}
