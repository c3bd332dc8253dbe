package dev.parley.channels.bots.delivery;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.sent_message_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface SentMessageRows extends GenericRepository<SentMessage, UUID> {
    String ONE = " WHERE host_id = :host AND reply_id = :reply AND idx = :index ";

    String COLUMNS =
            "SELECT reply_id, message, topic, turn_id, update_ts > now() - INTERVAL '2 minutes' AS recent FROM channels.sent_message_t";

    @Query(COLUMNS + ONE)
    Optional<SentMessage> find(UUID host, UUID reply, int index);

    /** The newest message of a chat with this reference of the channel. */
    @Query(COLUMNS + """
             WHERE host_id = :host AND bot = :bot AND chat = :chat AND message = :message AND turn_id IS NOT NULL
            ORDER BY update_ts DESC LIMIT 1
            """)
    Optional<SentMessage> findByReference(UUID host, String bot, String chat, String message);

    /** An existing row is in doubt once more; its time stays that of the first attempt. */
    @Query("""
            INSERT INTO channels.sent_message_t AS m (host_id, reply_id, idx, bot, chat, topic, turn_id)
            VALUES (:host, :reply, :index, :bot, :chat, :topic, :turn)
            ON CONFLICT (host_id, reply_id, idx) DO UPDATE
              SET in_doubt = m.in_doubt + 1, aggregate_version = m.aggregate_version + 1
            """)
    void begin(UUID host, UUID reply, int index, String bot, String chat, @Nullable String topic, UUID turn);

    @Query(
            "UPDATE channels.sent_message_t SET message = :message, aggregate_version = aggregate_version + 1, update_ts = now()"
                    + ONE)
    void sent(UUID host, UUID reply, int index, String message);

    /** @return 0 where the report says nothing new */
    @Query("""
            UPDATE channels.sent_message_t
            SET message = coalesce(message, :message), failure = coalesce(CAST(:failure AS text), failure),
              aggregate_version = aggregate_version + 1, update_ts = now()
            WHERE host_id = :host AND reply_id = :reply AND idx = :index AND bot = :bot
              AND (message IS NULL OR (failure IS NULL AND CAST(:failure AS text) IS NOT NULL))
            """)
    int report(UUID host, UUID reply, int index, String bot, String message, @Nullable String failure);

    @Query("DELETE FROM channels.sent_message_t" + ONE + "AND message IS NULL AND in_doubt = 0")
    void deleteNotSent(UUID host, UUID reply, int index);

    @Query("DELETE FROM channels.sent_message_t" + ONE)
    void delete(UUID host, UUID reply, int index);

    /** The first message of {@code from} becomes that of {@code to}, unless that has one. */
    @Query("""
            UPDATE channels.sent_message_t m SET reply_id = :to, moved_from = m.reply_id
            WHERE host_id = :host AND reply_id = :from AND idx = 0 AND NOT EXISTS (
              SELECT 1 FROM channels.sent_message_t o WHERE o.host_id = m.host_id AND o.reply_id = :to AND o.idx = 0)
            """)
    void move(UUID host, UUID from, UUID to);

    @Query("SELECT count(*) FROM channels.sent_message_t WHERE host_id = :host AND moved_from = :from")
    int countMoved(UUID host, UUID from);

    /** @return the number of removed rows */
    @Query("""
            DELETE FROM channels.sent_message_t WHERE ctid IN (
              SELECT ctid FROM channels.sent_message_t
              WHERE update_ts < now() - make_interval(secs => :seconds) LIMIT :limit)
            """)
    int purge(long seconds, int limit);
}
