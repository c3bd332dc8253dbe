package dev.parley.channels.bots;

import dev.parley.channels.contract.Links;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.access.Known;
import dev.parley.platform.collection.RecentCounts;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.TenantSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Keeps which account somebody of a channel is, and the codes by which they prove it. */
final class ChannelLinks implements Links {
    /** How long a code is good. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final int MOST_WRONG = 5;
    private static final int REMEMBERED = 10_000;
    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);
    /** While the database is away people stay who they were. */
    private static final long STALE = TimeUnit.MINUTES.toNanos(5);

    private final TenantSql sql;
    private final UUID host;
    private final Chats chats;
    private final Known known;
    private final Consumer<AuditEntry> audit;
    private final Map<String, Found> found = new ConcurrentHashMap<>();
    private final RecentCounts wrong = new RecentCounts(LIFE, REMEMBERED);

    private record Found(Optional<UUID> account, long at) {}

    /** Somebody of a channel. */
    record Link(UUID id, String bot, String user, String name, Instant since) {
        static Link of(ResultSet row) throws SQLException {
            return new Link(
                    row.getObject("link_id", UUID.class),
                    row.getString("bot"),
                    row.getString("channel_user"),
                    row.getString("name"),
                    row.getTimestamp("update_ts").toInstant());
        }
    }

    /** @param audit is told of links that begin and end in chats */
    ChannelLinks(Sql sql, UUID host, Chats chats, Known known, Consumer<AuditEntry> audit) {
        this.sql = sql.as(Tenant.of(host));
        this.host = host;
        this.chats = chats;
        this.known = known;
        this.audit = audit;
    }

    @Override
    public Optional<UUID> account(String bot, String user) {
        String key = bot + " " + user;
        Found before = found.get(key);
        long now = System.nanoTime();
        if (before != null && now - before.at() < FRESH) {
            return before.account();
        }
        try {
            Optional<UUID> account = asked(bot, user);
            if (found.size() > REMEMBERED) {
                found.clear();
            }
            found.put(key, new Found(account, now));
            return account;
        } catch (Sql.FailedException e) {
            if (before != null && now - before.at() < STALE) {
                return before.account();
            }
            throw e;
        }
    }

    private Optional<UUID> asked(String bot, String user) {
        return sql.query(
                "SELECT user_id FROM channels.channel_link_t WHERE host_id = ? AND bot = ? AND channel_user = ?",
                ChannelLinks::account,
                host,
                bot,
                user);
    }

    private static Optional<UUID> account(ResultSet row) throws SQLException {
        return row.next() ? Optional.of(row.getObject(1, UUID.class)) : Optional.empty();
    }

    // ---- codes

    /** Another code for this account, in place of the one before. */
    String code(UUID account) {
        String code = Codes.make();
        sql.update("DELETE FROM channels.link_code_t WHERE host_id = ? AND until < now()", host);
        sql.update("""
                INSERT INTO channels.link_code_t AS c (host_id, user_id, code_sha256, until) VALUES (?, ?, ?, ?)
                ON CONFLICT (host_id, user_id) DO UPDATE SET code_sha256 = excluded.code_sha256, until = excluded.until,
                  update_ts = now(), aggregate_version = c.aggregate_version + 1""", host, account, Codes.digest(code), Instant.now().plus(LIFE));
        return code;
    }

    @Override
    public Linked link(String bot, Sender sender, String code) {
        if (isTooOften(bot, sender)) {
            return new Linked.TooOften();
        }
        byte[] digest = Codes.digest(code);
        Optional<UUID> linked = used(bot, sender, digest);
        linked.ifPresent(user -> tell("create", bot, sender.id(), user));
        Optional<UUID> account = linked.or(() -> usedBefore(bot, sender, digest));
        found.clear();
        if (account.isEmpty()) {
            failed(bot, sender);
            return new Linked.WrongCode();
        }
        String name = known.account(host, account.get()).map(Account::name).orElse("?");
        return new Linked.Yes(account.get(), name);
    }

    private Optional<UUID> used(String bot, Sender sender, byte[] digest) {
        return sql.query(
                """
                WITH used AS (DELETE FROM channels.link_code_t WHERE host_id = ? AND code_sha256 = ? AND until > now()
                  RETURNING user_id)
                INSERT INTO channels.channel_link_t AS l (host_id, link_id, bot, channel_user, name, user_id, code_sha256)
                SELECT ?, ?, ?, ?, ?, user_id, ? FROM used
                ON CONFLICT (host_id, bot, channel_user) DO UPDATE SET link_id = excluded.link_id, name = excluded.name,
                  user_id = excluded.user_id, code_sha256 = excluded.code_sha256, update_ts = now(),
                  aggregate_version = l.aggregate_version + 1
                RETURNING user_id""",
                ChannelLinks::account,
                host,
                digest,
                host,
                UUID.randomUUID(),
                bot,
                sender.id(),
                AllowedPeople.clipped(sender.name()),
                digest);
    }

    /** The same message came again. */
    private Optional<UUID> usedBefore(String bot, Sender sender, byte[] digest) {
        return sql.query(
                "SELECT user_id FROM channels.channel_link_t WHERE host_id = ? AND bot = ? AND channel_user = ? AND code_sha256 = ?",
                ChannelLinks::account,
                host,
                bot,
                sender.id(),
                digest);
    }

    @Override
    public void burn(String bot, Sender sender, String code) {
        if (isTooOften(bot, sender)) {
            return;
        }
        int burnt = sql.update(
                "DELETE FROM channels.link_code_t WHERE host_id = ? AND code_sha256 = ?", host, Codes.digest(code));
        if (burnt == 0) {
            failed(bot, sender);
        }
    }

    private boolean isTooOften(String bot, Sender sender) {
        return wrong.of(bot + " " + sender.id()) >= MOST_WRONG;
    }

    private void failed(String bot, Sender sender) {
        wrong.add(bot + " " + sender.id());
    }

    // ---- links

    /** Those of an account. */
    List<Link> of(UUID account) {
        return sql.query(
                """
                SELECT link_id, bot, channel_user, name, update_ts FROM channels.channel_link_t
                WHERE host_id = ? AND user_id = ? ORDER BY update_ts DESC, link_id LIMIT 1000""",
                row -> {
                    var links = new ArrayList<Link>();
                    while (row.next()) {
                        links.add(Link.of(row));
                    }
                    return links;
                },
                host,
                account);
    }

    @Override
    public boolean unlink(String bot, String user) {
        Optional<UUID> account = asked(bot, user);
        boolean ended = ended(
                "DELETE FROM channels.channel_link_t WHERE host_id = ? AND bot = ? AND channel_user = ?",
                host,
                bot,
                user);
        if (ended) {
            account.ifPresent(of -> tell("remove", bot, user, of));
        }
        return ended;
    }

    private void tell(String action, String bot, String channelUser, UUID account) {
        audit.accept(new AuditEntry(
                UUID.randomUUID(),
                host,
                null,
                "channel-link",
                action,
                bot + "/" + channelUser,
                account.toString(),
                null,
                null,
                Instant.now(),
                true,
                null));
    }

    /** Ends a link of this account; false where it has none of this id. */
    boolean remove(UUID account, UUID id) {
        return ended(
                "DELETE FROM channels.channel_link_t WHERE host_id = ? AND user_id = ? AND link_id = ?",
                host,
                account,
                id);
    }

    private boolean ended(String delete, Object... values) {
        Optional<Link> ended = sql.query(
                delete + " RETURNING link_id, bot, channel_user, name, update_ts",
                row -> row.next() ? Optional.of(Link.of(row)) : Optional.empty(),
                values);
        found.clear();
        // What is said from here on is none of the account's: the private chat, which has its person's id, begins anew.
        ended.ifPresent(link -> chats.moved(link.bot(), another(link.user()), link.user()));
        return ended.isPresent();
    }

    /** An id for sessions of a chat that no other sessions of it have. */
    private static String another(String chat) {
        return chat + "~" + Codes.make().toLowerCase(Locale.ROOT);
    }
}
