package dev.parley.channels.bots;

import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.TenantSql;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which instance owns each bot, and what an operator has to mend before it works: for all instances to read.
 *
 * @param instance the name of this one
 */
record BotStates(Sql sql, UUID host, String instance) {
    private TenantSql rows() {
        return sql.as(Tenant.of(host));
    }

    /** @param problem what is wrong since {@code problemSince}, or null */
    record State(
            String owner,
            Instant since,
            @Nullable String problem,
            @Nullable Instant problemSince) {}

    /** This instance owns the bot now. */
    void owned(String bot) {
        rows().update("""
                INSERT INTO channels.bot_t AS b (host_id, bot, owner, owned_ts) VALUES (?, ?, ?, now())
                ON CONFLICT (host_id, bot) DO UPDATE SET owner = excluded.owner, owned_ts = excluded.owned_ts, problem = NULL,
                  problem_ts = NULL, update_ts = now(), aggregate_version = b.aggregate_version + 1""", host, bot, instance);
    }

    /** What is wrong with a bot of this instance from now on, or null. */
    void problem(String bot, @Nullable String problem) {
        rows().update("""
                UPDATE channels.bot_t SET problem = ?, problem_ts = CASE WHEN ?::text IS NULL THEN NULL ELSE now() END,
                  update_ts = now(), aggregate_version = aggregate_version + 1
                WHERE host_id = ? AND bot = ? AND owner = ?""", problem, problem, host, bot, instance);
    }

    /** What is known of each bot that was ever owned. */
    Map<String, State> all() {
        return rows().query(
                        "SELECT bot, owner, owned_ts, problem, problem_ts FROM channels.bot_t WHERE host_id = ?",
                        row -> {
                            var states = new HashMap<String, State>();
                            while (row.next()) {
                                Timestamp since = row.getTimestamp("problem_ts");
                                states.put(
                                        row.getString("bot"),
                                        new State(
                                                row.getString("owner"),
                                                row.getTimestamp("owned_ts").toInstant(),
                                                row.getString("problem"),
                                                since == null ? null : since.toInstant()));
                            }
                            return states;
                        },
                        host);
    }
}
