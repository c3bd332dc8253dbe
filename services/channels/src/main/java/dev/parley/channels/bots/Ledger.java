package dev.parley.channels.bots;

import dev.parley.domain.protocol.Reply;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.TenantSql;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was sent. A row is written before a message is sent, for nobody can ask a channel afterwards whether it was.
 *
 * @param sql with the tables of the schema {@code channels}
 */
record Ledger(Sql sql) {
    private static final int OLD = 10_000;

    /**
     * What is known of a message.
     *
     * @param message the channel's reference, or null where none is known
     * @param begun whether it was to be sent before
     */
    record Slot(@Nullable String message, boolean begun) {}

    private TenantSql of(UUID host) {
        return sql.as(Tenant.of(host));
    }

    /** Whether this reply needs nothing more. */
    boolean isSettled(Reply reply) {
        return of(reply.host())
                .query(
                        "SELECT 1 FROM channels.delivery_t WHERE host_id = ? AND reply_id = ?",
                        ResultSet::next,
                        reply.host(),
                        reply.replyId());
    }

    /** Whether the last word of this turn was delivered, or never will be. */
    boolean isOver(UUID host, UUID turn) {
        return of(host).query(
                        "SELECT 1 FROM channels.delivery_t WHERE host_id = ? AND reply_id IN (?, ?, ?)",
                        ResultSet::next,
                        host,
                        Reply.lastOf(turn, Reply.Kind.FINAL),
                        Reply.lastOf(turn, Reply.Kind.ERROR),
                        Reply.lastOf(turn, Reply.Kind.CANCELLED));
    }

    /** The reply was delivered and needs nothing more; {@code detail} says what is to be known about that, or null. */
    void delivered(Reply reply, @Nullable String detail) {
        settle(reply, "delivered", detail);
    }

    /** The reply will never be delivered, and this is why. */
    void failed(Reply reply, String why) {
        settle(reply, "failed", why);
    }

    private void settle(Reply reply, String state, @Nullable String detail) {
        of(reply.host())
                .update(
                        """
                INSERT INTO channels.delivery_t (host_id, reply_id, bot, chat, state, detail)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
                        reply.host(),
                        reply.replyId(),
                        reply.to().bot(),
                        reply.to().chat(),
                        state,
                        detail);
    }

    /** The message that shows a piece of a reply. */
    Slot slot(UUID host, UUID reply, int index) {
        return of(host).query(
                        "SELECT message FROM channels.sent_message_t WHERE host_id = ? AND reply_id = ? AND idx = ?",
                        row -> row.next() ? new Slot(row.getString(1), true) : new Slot(null, false),
                        host,
                        reply,
                        index);
    }

    /** A message is about to be sent. Where that was so before, it is in doubt whether there is one already. */
    void begin(UUID host, UUID reply, int index, String bot, String chat) {
        of(host).update("""
                INSERT INTO channels.sent_message_t AS m (host_id, reply_id, idx, bot, chat) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (host_id, reply_id, idx) DO UPDATE
                   SET in_doubt = m.in_doubt + 1, aggregate_version = m.aggregate_version + 1, update_ts = now()""", host, reply, index, bot, chat);
    }

    /** It was not sent, for certain. */
    void notSent(UUID host, UUID reply, int index) {
        of(host).update(
                        "DELETE FROM channels.sent_message_t WHERE host_id = ? AND reply_id = ? AND idx = ? AND message IS NULL AND in_doubt = 0",
                        host,
                        reply,
                        index);
    }

    /** It was sent. */
    void sent(UUID host, UUID reply, int index, String message) {
        of(host).update("""
                UPDATE channels.sent_message_t SET message = ?, aggregate_version = aggregate_version + 1, update_ts = now()
                 WHERE host_id = ? AND reply_id = ? AND idx = ?""", message, host, reply, index);
    }

    /** The message is not there any more: the next one is sent anew. */
    void gone(UUID host, UUID reply, int index) {
        of(host).update(
                        "DELETE FROM channels.sent_message_t WHERE host_id = ? AND reply_id = ? AND idx = ?",
                        host,
                        reply,
                        index);
    }

    /** A message that was going to show the end of a turn shows this reply instead, which came before. */
    void becomes(UUID host, UUID turn, UUID reply) {
        of(host).update("""
                UPDATE channels.sent_message_t m SET reply_id = ?, moved_from = m.reply_id
                 WHERE host_id = ? AND reply_id = ? AND idx = 0 AND NOT EXISTS (
                   SELECT 1 FROM channels.sent_message_t o WHERE o.host_id = m.host_id AND o.reply_id = ? AND o.idx = 0)""", reply, host, turn, reply);
    }

    /** What became of a reply, and when. */
    record Receipt(
            UUID reply, String chat, String state, @Nullable String detail, Instant at) {}

    /** The newest receipts of a bot; of one chat, or in one state, where they are not null. */
    List<Receipt> newest(UUID host, String bot, @Nullable String chat, @Nullable String state, int most) {
        return of(host).query(
                        """
                SELECT reply_id, chat, state, detail, update_ts FROM channels.delivery_t
                 WHERE host_id = ? AND bot = ? AND (?::text IS NULL OR chat = ?) AND (?::text IS NULL OR state = ?)
                 ORDER BY update_ts DESC, reply_id LIMIT ?""",
                        row -> {
                            var receipts = new ArrayList<Receipt>();
                            while (row.next()) {
                                receipts.add(new Receipt(
                                        row.getObject("reply_id", UUID.class),
                                        row.getString("chat"),
                                        row.getString("state"),
                                        row.getString("detail"),
                                        row.getTimestamp("update_ts").toInstant()));
                            }
                            return receipts;
                        },
                        host,
                        bot,
                        chat,
                        chat,
                        state,
                        state,
                        most);
    }

    /** How many messages that were going to show the end of a turn show something else. */
    int moved(UUID host, UUID turn) {
        return of(host).query(
                        "SELECT count(*) FROM channels.sent_message_t WHERE host_id = ? AND moved_from = ?",
                        row -> row.next() ? row.getInt(1) : 0,
                        host,
                        turn);
    }

    /** Removes what is older than this, so many at a time. */
    int purge(Duration age) {
        int removed = 0;
        for (String table : List.of("delivery_t", "sent_message_t")) {
            removed += sql.as(Tenant.ALL).update("""
                    DELETE FROM channels.%1$s WHERE ctid IN (
                      SELECT ctid FROM channels.%1$s WHERE update_ts < now() - ? * interval '1 second' LIMIT %2$d)""".formatted(table, OLD), age.toSeconds());
        }
        return removed;
    }
}
