package dev.parley.bench;

import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Many people, keys, projects and sessions, written to the tables by SQL. {@value #ACTIVE} people have keys, projects
 * and sessions and are published to the process; the others are only in the tables.
 *
 * @param seed from which all ids are derived
 */
record SyntheticTenants(Database database, long seed) {
    /** The number of people with keys, projects and sessions. */
    static final int ACTIVE = 1_000;

    private static final int CHUNK = 5_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String SECRET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";

    private static final List<String> PEOPLE = List.of("""
            INSERT INTO control.user_t (user_id, username, update_user)
            SELECT md5('%1$d user ' || i)::uuid, substr(md5('%1$d name ' || i), 1, 6) || '.' || i, 'bench'
            FROM generate_series(?::int, ?::int) i""", """
            INSERT INTO control.user_host_t (host_id, user_id, role, update_user)
            SELECT '%2$s', md5('%1$d user ' || i)::uuid, 'user', 'bench' FROM generate_series(?::int, ?::int) i""");

    private static final String MEMBERS = """
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
            SELECT '%2$s', '%3$s', md5('%1$d user ' || i)::uuid, 'member', 'bench' FROM generate_series(?::int, ?::int) i""";

    private static final String KEYS = """
            INSERT INTO control.api_key_t (host_id, api_key_id, user_id, name, key_prefix, key_hash, permissions, update_user)
            SELECT '%2$s', md5('%1$d key ' || i)::uuid, md5('%1$d user ' || i %% %4$d)::uuid, 'k',
              'parley_' || lpad(i::text, 8, '0'), sha256(convert_to('parley_' || lpad(i::text, 8, '0') || '_%5$s', 'UTF8')),
              '["*"]', 'bench'
            FROM generate_series(?::int, ?::int) i""";

    private static final List<String> PROJECTS = List.of("""
            INSERT INTO control.project_t (host_id, project_id, project_key, name, owner_id, created_ts, update_user)
            SELECT '%2$s', md5('%1$d project ' || i)::uuid, md5('%1$d project ' || i)::uuid, 'Project ' || i,
              md5('%1$d user ' || i %% %4$d)::uuid, now() - i * interval '1 minute', 'bench'
            FROM generate_series(?::int, ?::int) i""", """
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
            SELECT '%2$s', md5('%1$d project ' || i)::uuid, md5('%1$d user ' || i %% %4$d)::uuid, 'owner', 'bench'
            FROM generate_series(?::int, ?::int) i""");

    private static final String KEYS_OF_PROJECTS =
            "SELECT project_key FROM control.project_t WHERE update_user = 'bench' ORDER BY project_key";

    private static final String SESSIONS = """
            INSERT INTO sessions.agent_session_t (host_id, project_id, session_id, session_key, epoch, slug, channel, user_id,
              agent, bank_id, title, title_given, status, archived_ts, created_ts, aggregate_version, update_ts, update_user)
            SELECT '%2$s', '%3$s', md5('%1$d session ' || i)::uuid, 'api:' || i, 0, 'session-' || i,
              CASE i %% 3 WHEN 0 THEN 'api' WHEN 1 THEN 'web' ELSE 'telegram' END, md5('%1$d user ' || i * 7 %% %4$d)::uuid,
              'default', md5('%1$d bank ' || i)::uuid, 'Session number ' || i, false,
              CASE WHEN i %% 10 = 0 THEN 'archived' ELSE 'active' END, CASE WHEN i %% 10 = 0 THEN now() END,
              now() - i * interval '1 second', 1, now(), 'bench'
            FROM generate_series(?::int, ?::int) i""";

    /** The key with this number. */
    static String key(int number) {
        return "parley_%08d_%s".formatted(number, SECRET);
    }

    /** Writes everything and waits until keys are known and tables analysed. */
    void fill(int people, int keys, int projects, int sessions, AccessFollower directory) throws InterruptedException {
        PEOPLE.forEach(sql -> write(sql, 0, ACTIVE, true));
        write(MEMBERS, 0, ACTIVE, true);
        write(KEYS, 0, keys, true);
        for (int from = ACTIVE; from < people; from += CHUNK) {
            for (String sql : PEOPLE) {
                write(sql, from, Math.min(people, from + CHUNK), false);
            }
        }
        PROJECTS.forEach(sql -> write(sql, 0, projects, false));
        write(SESSIONS, 0, sessions, true);
        await("keys", () -> directory.key(key(keys - 1).substring(0, 15)).isPresent());
        await("statistics", this::isAnalysed);
    }

    /**
     * Writes projects that have an owner each, and waits until they are known.
     *
     * @return their keys
     */
    List<String> projects(int projects, AccessFollower directory) throws InterruptedException {
        PEOPLE.forEach(sql -> write(sql, 0, ACTIVE, true));
        PROJECTS.forEach(sql -> write(sql, 0, projects, true));
        List<String> keys = database.in(
                Tenant.ALL,
                transaction -> transaction.query(KEYS_OF_PROJECTS, row -> {
                    var found = new ArrayList<String>();
                    while (row.next()) {
                        found.add(row.getString(1));
                    }
                    return found;
                }));
        await(
                "projects",
                () -> keys.stream().allMatch(key -> directory.project(key).isPresent()));
        return keys;
    }

    /** @param published whether the rows reach other processes through the outbox */
    private void write(String sql, int from, int to, boolean published) {
        String text = sql.formatted(
                seed, AccessDirectory.DEFAULT_HOST, AccessDirectory.DEFAULT_PROJECT.project(), ACTIVE, SECRET);
        for (int first = from; first < to; first += CHUNK) {
            int last = Math.min(to, first + CHUNK) - 1;
            int start = first;
            database.in(Tenant.ALL, transaction -> {
                transaction.update(text, start, last);
                return published
                        ? 0
                        : transaction.update("DELETE FROM control.outbox_t WHERE xmin = pg_current_xact_id()::xid");
            });
        }
    }

    private boolean isAnalysed() {
        return database.in(Tenant.ALL, transaction -> transaction.query("""
                        SELECT bool_and(last_autoanalyze IS NOT NULL AND n_mod_since_analyze < n_live_tup / 2)
                        FROM pg_stat_user_tables WHERE relname IN ('agent_session_t', 'user_t', 'user_host_t', 'api_key_t')
                        """, row -> row.next() && row.getBoolean(1)));
    }

    private static void await(String subject, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TIMEOUT.toNanos()) {
                throw new IllegalStateException("no " + subject + " after " + TIMEOUT);
            }
            Thread.sleep(200);
        }
        System.out.printf(Locale.ROOT, "    %s were there after %.1f s%n", subject, (System.nanoTime() - start) / 1e9);
    }
}
