package dev.parley.channels.bots;

import dev.parley.channels.contract.Memory;
import dev.parley.channels.contract.Place;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.TenantSql;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is known of chats: whether their bot can write there, and which id their sessions began with. A chat that gets another
 * id (a group that becomes a supergroup) keeps its sessions.
 */
final class Chats implements Memory {
    /** Another instance may have learnt something about a chat. */
    private static final long FRESH = TimeUnit.SECONDS.toNanos(30);

    private static final int MOST = 100_000;

    private final TenantSql sql;
    private final UUID host;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(@Nullable String chat, long at) {}

    Chats(Sql sql, UUID host) {
        this.sql = sql.as(Tenant.of(host));
        this.host = host;
    }

    /** The place by which its sessions are called. */
    Place session(Place place) {
        String first = sessionChat(place.bot(), place.chat());
        return first == null ? place : new Place(place.bot(), first, place.topic());
    }

    private @Nullable String sessionChat(String bot, String chat) {
        return cached(
                "first",
                "SELECT session_chat FROM channels.chat_t WHERE host_id = ? AND bot = ? AND chat = ?",
                bot,
                chat);
    }

    private @Nullable String cached(String what, String query, String bot, String chat) {
        String name = name(what, bot, chat);
        Known before = known.get(name);
        long now = System.nanoTime();
        if (before != null && now - before.at() < FRESH) {
            return before.chat();
        }
        String found = sql.<@Nullable String>query(query, row -> row.next() ? row.getString(1) : null, host, bot, chat);
        if (known.size() > MOST) {
            known.clear();
        }
        known.put(name, new Known(found, now));
        return found;
    }

    private static String name(String what, String bot, String chat) {
        return what + " " + bot + " " + chat;
    }

    /** The place where a session's people are now. */
    Place now(Place session) {
        String chat = cached(
                "now",
                "SELECT chat FROM channels.chat_t WHERE host_id = ? AND bot = ? AND session_chat = ? ORDER BY update_ts DESC LIMIT 1",
                session.bot(),
                session.chat());
        return chat == null ? session : new Place(session.bot(), chat, session.topic());
    }

    /** Whether the bot may write there, as far as is known. */
    boolean isWritable(Place place) {
        String found = cached(
                "writable",
                "SELECT writable FROM channels.chat_t WHERE host_id = ? AND bot = ? AND chat = ?",
                place.bot(),
                place.chat());
        return found == null || !found.startsWith("f");
    }

    @Override
    public void moved(String bot, String from, String to) {
        String first = sessionChat(bot, from);
        sql.update("""
                INSERT INTO channels.chat_t AS c (host_id, bot, chat, session_chat) VALUES (?, ?, ?, ?)
                ON CONFLICT (host_id, bot, chat) DO UPDATE SET session_chat = excluded.session_chat, update_ts = now(),
                  aggregate_version = c.aggregate_version + 1""", host, bot, to, first == null ? from : first);
        known.clear();
    }

    @Override
    public void writable(Place place, boolean writable) {
        sql.update("""
                INSERT INTO channels.chat_t AS c (host_id, bot, chat, writable) VALUES (?, ?, ?, ?)
                ON CONFLICT (host_id, bot, chat) DO UPDATE SET writable = excluded.writable, update_ts = now(),
                  aggregate_version = c.aggregate_version + 1""", host, place.bot(), place.chat(), writable);
        known.remove(name("writable", place.bot(), place.chat()));
    }
}
