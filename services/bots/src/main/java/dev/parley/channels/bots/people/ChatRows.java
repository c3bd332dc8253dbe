package dev.parley.channels.bots.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code channels.chat_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface ChatRows extends GenericRepository<Chat, String> {
    String COLUMNS = "host_id, bot, chat, writable, session_chat, seen, note ";

    Optional<Chat> findByHostIdAndBotAndChat(UUID host, String bot, String chat);

    /** The current chat of these sessions. */
    @Query("SELECT " + COLUMNS + """
            FROM channels.chat_t WHERE host_id = :host AND bot = :bot AND session_chat = :sessionChat
            ORDER BY update_ts DESC LIMIT 1
            """)
    Optional<Chat> now(UUID host, String bot, String sessionChat);

    @Query("""
            INSERT INTO channels.chat_t AS c (host_id, bot, chat, session_chat) VALUES (:host, :bot, :chat, :sessionChat)
            ON CONFLICT (host_id, bot, chat) DO UPDATE SET session_chat = excluded.session_chat, update_ts = now(),
              aggregate_version = c.aggregate_version + 1
            """)
    void setSessionChat(UUID host, String bot, String chat, String sessionChat);

    @Query("""
            INSERT INTO channels.chat_t AS c (host_id, bot, chat, writable) VALUES (:host, :bot, :chat, :writable)
            ON CONFLICT (host_id, bot, chat) DO UPDATE SET writable = excluded.writable, update_ts = now(),
              aggregate_version = c.aggregate_version + 1
            """)
    void setWritable(UUID host, String bot, String chat, boolean writable);

    /** Does not touch {@code update_ts}, by which {@link #now} orders. */
    @Query("""
            INSERT INTO channels.chat_t (host_id, bot, chat, seen) VALUES (:host, :bot, :chat, :message)
            ON CONFLICT (host_id, bot, chat) DO UPDATE SET seen = excluded.seen
            """)
    void setSeen(UUID host, String bot, String chat, String message);

    /** Does not touch {@code update_ts}, by which {@link #now} orders. */
    @Query("""
            INSERT INTO channels.chat_t (host_id, bot, chat, note) VALUES (:host, :bot, :chat, :note)
            ON CONFLICT (host_id, bot, chat) DO UPDATE SET note = excluded.note
            """)
    void setNote(UUID host, String bot, String chat, String note);

    /** A person with a new id stays admitted, unless the new id has a row of its own. */
    @Query("""
            UPDATE channels.person_t p SET user_id = :to, update_ts = now(), aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND bot = :bot AND user_id = :from AND state = 'allowed' AND NOT EXISTS (
              SELECT 1 FROM channels.person_t o WHERE o.host_id = p.host_id AND o.bot = p.bot AND o.user_id = :to)
            """)
    void moveAdmission(UUID host, String bot, String from, String to);

    /** A person with a new id keeps the linked account, unless the new id has one. */
    @Query("""
            UPDATE channels.channel_link_t l SET channel_user = :to, update_ts = now(),
              aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND bot = :bot AND channel_user = :from AND NOT EXISTS (
              SELECT 1 FROM channels.channel_link_t o
              WHERE o.host_id = l.host_id AND o.bot = l.bot AND o.channel_user = :to)
            """)
    void moveLink(UUID host, String bot, String from, String to);

    /** The chats with the newest messages; message ids increase with time. */
    @Query("SELECT " + COLUMNS + """
            FROM channels.chat_t WHERE host_id = :host AND bot = :bot AND seen IS NOT NULL
            ORDER BY length(seen) DESC, seen DESC LIMIT :limit
            """)
    List<Chat> seen(UUID host, String bot, int limit);
}
