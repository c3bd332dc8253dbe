package dev.parley.channels.bots.delivery;

import dev.parley.domain.RecordKey;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code channels.task_message_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface TaskMessageRows extends GenericRepository<TaskMessage, UUID> {
    String COLUMNS = "reply_id, task_id, bot, chat, user_id, project_key, process_id, task_order, question ";

    String OF_CHAT = "SELECT " + COLUMNS + """
            FROM channels.task_message_t t WHERE t.host_id = :host AND t.bot = :bot AND t.chat = :chat
            """;

    /** A duplicate changes nothing. */
    default void insert(UUID host, TaskMessage message) {
        insert(
                host,
                message.replyId(),
                message.taskId(),
                message.bot(),
                message.chat(),
                message.userId(),
                RecordKey.projectId(message.projectKey()),
                message.projectKey(),
                message.processId(),
                message.taskOrder(),
                message.question());
    }

    @Query("""
            INSERT INTO channels.task_message_t (host_id, reply_id, task_id, bot, chat, user_id, project_id, project_key, process_id,
              task_order, question)
            VALUES (:host, :replyId, :taskId, :bot, :chat, :userId, :project, :projectKey, :processId, :taskOrder, :question)
            ON CONFLICT (host_id, reply_id) DO NOTHING
            """)
    void insert(
            UUID host,
            UUID replyId,
            UUID taskId,
            String bot,
            String chat,
            UUID userId,
            UUID project,
            String projectKey,
            UUID processId,
            long taskOrder,
            String question);

    @Query(OF_CHAT + """
            AND EXISTS (SELECT FROM channels.sent_message_t m
              WHERE m.host_id = t.host_id AND m.reply_id = t.reply_id AND m.message = :message)
            LIMIT 1
            """)
    Optional<TaskMessage> ofMessage(UUID host, String bot, String chat, String message);

    /** Whether a question is being sent whose reference is not known yet. */
    @Query("""
            SELECT EXISTS (SELECT FROM channels.task_message_t t
              JOIN channels.sent_message_t m ON m.host_id = t.host_id AND m.reply_id = t.reply_id
              WHERE t.host_id = :host AND t.bot = :bot AND t.chat = :chat AND t.active
                AND m.message IS NULL AND m.update_ts > now() - make_interval(secs => :seconds))
            """)
    boolean isBeingSent(UUID host, String bot, String chat, long seconds);

    @Query(OF_CHAT + "AND t.task_id = :task ORDER BY t.created_ts DESC LIMIT 1")
    Optional<TaskMessage> ofTask(UUID host, String bot, String chat, UUID task);

    /** One for each open task, oldest first. */
    @Query("SELECT " + COLUMNS + "FROM (SELECT DISTINCT ON (task_id) created_ts, " + COLUMNS + """
            FROM channels.task_message_t
              WHERE host_id = :host AND bot = :bot AND chat = :chat AND active ORDER BY task_id, created_ts) AS t
            ORDER BY created_ts LIMIT :limit
            """)
    List<TaskMessage> open(UUID host, String bot, String chat, int limit);

    @Query("SELECT " + COLUMNS
            + "FROM channels.task_message_t WHERE host_id = :host AND task_id = :task AND active LIMIT 1000")
    List<TaskMessage> openOf(UUID host, UUID task);

    @Query("""
            UPDATE channels.task_message_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now()
            WHERE host_id = :host AND task_id = :task AND active
            """)
    void close(UUID host, UUID task);

    /**
     * Deletes messages of closed tasks.
     *
     * @return the number of rows
     */
    @Query("""
            DELETE FROM channels.task_message_t WHERE ctid IN (
              SELECT ctid FROM channels.task_message_t
              WHERE NOT active AND update_ts < now() - make_interval(secs => :seconds) LIMIT :limit)
            """)
    int purge(long seconds, int limit);

    /** @return the number of removed rows */
    @Query("DELETE FROM channels.task_message_t WHERE host_id = :host AND project_id = :project")
    int deleteOfProject(UUID host, UUID project);
}
