package dev.parley.channels.bots;

import dev.parley.channels.contract.People;
import dev.parley.channels.contract.Sender;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.TenantSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** People whom an operator let in with the code that they were given. Codes are kept as digests only. */
final class AllowedPeople implements People {
    private static final int MOST_WAITING = 100;
    private static final long FRESH = TimeUnit.SECONDS.toNanos(10);
    private static final int REMEMBERED = 10_000;

    private final TenantSql sql;
    private final UUID host;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(boolean allowed, long at) {}

    /** Somebody who was let in. */
    record Person(String user, String name, Instant since) {}

    AllowedPeople(Sql sql, UUID host) {
        this.sql = sql.as(Tenant.of(host));
        this.host = host;
    }

    @Override
    public boolean isAllowed(String bot, String user) {
        String key = bot + " " + user;
        Known before = known.get(key);
        long now = System.nanoTime();
        if (before != null && now - before.at() < FRESH) {
            return before.allowed();
        }
        boolean allowed = sql.query(
                "SELECT 1 FROM channels.person_t WHERE host_id = ? AND bot = ? AND user_id = ? AND state = 'allowed'",
                ResultSet::next,
                host,
                bot,
                user);
        if (known.size() > REMEMBERED) {
            known.clear();
        }
        known.put(key, new Known(allowed, now));
        return allowed;
    }

    @Override
    public Optional<String> code(String bot, Sender person) {
        sql.update(
                "DELETE FROM channels.person_t WHERE host_id = ? AND bot = ? AND state = 'waiting' AND until < now()",
                host,
                bot);
        int waiting = sql.query(
                "SELECT count(*) FROM channels.person_t WHERE host_id = ? AND bot = ? AND state = 'waiting'",
                row -> row.next() ? row.getInt(1) : 0,
                host,
                bot);
        if (waiting >= MOST_WAITING) {
            return Optional.empty();
        }
        String code = Codes.make();
        int added = sql.update("""
                INSERT INTO channels.person_t (host_id, bot, user_id, name, state, code_sha256, until)
                VALUES (?, ?, ?, ?, 'waiting', ?, now() + interval '1 hour') ON CONFLICT DO NOTHING""", host, bot, person.id(), clipped(person.name()), Codes.digest(code));
        return added == 1 ? Optional.of(code) : Optional.empty();
    }

    @Override
    public void withdraw(String bot, Sender person) {
        sql.update(
                "DELETE FROM channels.person_t WHERE host_id = ? AND bot = ? AND user_id = ? AND state = 'waiting'",
                host,
                bot,
                person.id());
    }

    /** A name as it is kept. */
    static String clipped(String name) {
        return name.replaceAll("\\p{Cntrl}", " ").substring(0, Math.min(name.length(), 100));
    }

    /** Lets the person in who was given this code. */
    Optional<Person> allow(String bot, String code) {
        Optional<Person> person = sql.query(
                """
                UPDATE channels.person_t SET state = 'allowed', code_sha256 = NULL, until = NULL, update_ts = now(),
                       aggregate_version = aggregate_version + 1
                 WHERE host_id = ? AND bot = ? AND state = 'waiting' AND code_sha256 = ? AND until > now()
                RETURNING user_id, name, update_ts""", row -> row.next() ? Optional.of(person(row)) : Optional.empty(), host, bot, Codes.digest(code));
        known.clear();
        return person;
    }

    /** Lets somebody out again. */
    boolean remove(String bot, String user) {
        int removed = sql.update(
                "DELETE FROM channels.person_t WHERE host_id = ? AND bot = ? AND user_id = ?", host, bot, user);
        known.clear();
        return removed > 0;
    }

    /** Those who were let in. */
    List<Person> people(String bot) {
        return sql.query(
                "SELECT user_id, name, update_ts FROM channels.person_t WHERE host_id = ? AND bot = ? AND state = 'allowed' ORDER BY update_ts LIMIT 1000",
                row -> {
                    var people = new ArrayList<Person>();
                    while (row.next()) {
                        people.add(person(row));
                    }
                    return people;
                },
                host,
                bot);
    }

    private static Person person(ResultSet row) throws SQLException {
        return new Person(
                row.getString(1), row.getString(2), row.getTimestamp(3).toInstant());
    }
}
