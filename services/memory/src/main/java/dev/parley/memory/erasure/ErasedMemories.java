package dev.parley.memory.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.domain.erasure.ErasureRecord.SessionGone;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.BankClient;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.database.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Erases memories when sessions, users, projects or agents are erased. The record of an erased session names its banks,
 * which got their commands at that time; these are repeated to get their outcomes. The banks of a user, project or
 * agent are looked up in the tables, which must have caught up. Events in flight may reopen a bank of a deleted agent;
 * such banks are found later.
 */
public final class ErasedMemories {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final String ACTIVE = """
            SELECT host_id, project_key, agent, agent_id, user_id, branch, aggregate_version FROM memory.agent_memory_bank_t
            WHERE host_id = ? AND active AND %s = ? ORDER BY bank_id LIMIT 1000""";
    /** Tables that are being replayed yield no answer. */
    private static final String COUNTS = """
            SELECT pg_try_advisory_xact_lock_shared(?) AS whole, count(*) FILTER (WHERE active) AS others,
              count(*) FILTER (WHERE NOT active) AS gone
            FROM memory.agent_memory_bank_t WHERE host_id = ? AND %s = ?""";

    private static final String DELETED =
            "INSERT INTO memory.deleted_agent_t (host_id, agent_id, deleted_ts) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

    private static final String REOPENED = """
            SELECT b.host_id, b.project_key, b.agent, b.agent_id, b.user_id, b.branch, b.aggregate_version
            FROM memory.deleted_agent_t d JOIN memory.agent_memory_bank_t b USING (host_id, agent_id)
            WHERE b.active ORDER BY b.bank_id LIMIT 1000""";

    private static final String BRANCHES =
            "SELECT branch FROM memory.agent_memory_bank_t WHERE host_id = ? AND origin_id = ? AND active";

    private final BankClient client;
    private final Database database;
    private final ReadYourWrites freshness;

    public ErasedMemories(BankClient client, Database database, ReadYourWrites freshness) {
        this.client = client;
        this.database = database;
        this.freshness = freshness;
    }

    /**
     * A bank in the tables.
     *
     * @param version sequence number of its newest event there
     */
    private record Row(BankRef bank, long version) {}

    /**
     * Erases a session from all its banks.
     *
     * @return number of banks; empty while some have not confirmed, or the tables lag
     */
    public OptionalLong ofSession(SessionGone sessionGone) throws InterruptedException {
        for (BankRef bank : sessionGone.banks()) {
            UUID id = Ids.of("forget", bank.id(), sessionGone.erasure());
            if (!forget(new Forget(
                    client.meta(id, sessionGone.host(), null).asOf(sessionGone.at()),
                    bank,
                    Forget.What.SESSION,
                    null,
                    sessionGone.session()))) {
                return OptionalLong.empty();
            }
        }
        if (sessionGone.banks().isEmpty()) {
            return OptionalLong.of(0);
        }
        return awaitTables() && forgetInBranches(sessionGone) && awaitTables()
                ? OptionalLong.of(sessionGone.banks().size())
                : OptionalLong.empty();
    }

    /** A bank forwards the command to its branches; it is repeated to get their outcomes, too. */
    private boolean forgetInBranches(SessionGone sessionGone) throws InterruptedException {
        for (BankRef bank : sessionGone.banks()) {
            List<String> names = database.in(
                    Tenant.of(sessionGone.host()),
                    transaction -> transaction.query(
                            BRANCHES, Columns.list(found -> found.getString(1)), sessionGone.host(), bank.id()));
            UUID commandId = Ids.of("forget", bank.id(), sessionGone.erasure());
            for (String name : names) {
                CommandMeta meta = client.meta(Ids.of("forget", commandId, name), sessionGone.host(), null)
                        .asOf(sessionGone.at());
                if (!forget(new Forget(meta, bank.branch(name), Forget.What.SESSION, null, sessionGone.session()))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Erases all banks of a user.
     *
     * @return number of banks; empty while some are not erased
     */
    public OptionalLong ofPerson(Account account) throws InterruptedException {
        return ofAll(
                account.host(), account.erasure(), "user_id", account.user().toString());
    }

    /**
     * Erases all banks of a project.
     *
     * @return number of banks; empty while some are not erased
     */
    public OptionalLong ofProject(Project project) throws InterruptedException {
        return ofAll(project.host(), project.erasure(), "project_key", project.projectKey());
    }

    /**
     * Erases all banks of a deleted agent.
     *
     * @return number of banks; empty while some are not erased
     */
    public OptionalLong ofAgent(AgentGone agentGone) throws InterruptedException {
        database.in(
                Tenant.of(agentGone.host()),
                transaction -> transaction.update(DELETED, agentGone.host(), agentGone.agentId(), Instant.now()));
        OptionalLong forgotten = ofAll(agentGone.host(), agentGone.erasure(), "agent_id", agentGone.agentId());
        return forgotten.isPresent()
                ? forgotten
                : ofAll(
                        agentGone.host(),
                        agentGone.erasure(),
                        "agent_id",
                        agentGone.agentId()); // the tables may be up to date by now
    }

    /**
     * Erases banks that were reopened after their agent was deleted.
     *
     * @return number of such banks
     */
    int ofReopened() throws InterruptedException {
        List<Row> reopened =
                database.in(Tenant.ALL, transaction -> transaction.query(REOPENED, Columns.list(ErasedMemories::row)));
        forget(reopened, "late");
        return reopened.size();
    }

    /** Deletes records of agents whose last events can no longer be in flight. */
    void forgetDeletedBefore(Instant time) {
        database.in(
                Tenant.ALL,
                transaction -> transaction.update("DELETE FROM memory.deleted_agent_t WHERE deleted_ts < ?", time));
    }

    private OptionalLong ofAll(UUID host, @Nullable UUID erasure, String column, Object value)
            throws InterruptedException {
        if (!awaitTables()) {
            return OptionalLong.empty();
        }
        List<Row> rows = database.in(
                Tenant.of(host),
                transaction ->
                        transaction.query(ACTIVE.formatted(column), Columns.list(ErasedMemories::row), host, value));
        forget(rows, String.valueOf(erasure));
        if (!rows.isEmpty()) {
            return OptionalLong.empty(); // counted when the tables are up to date
        }
        return database.in(
                Tenant.of(host),
                transaction -> transaction.query(
                        COUNTS.formatted(column),
                        found -> found.next() && found.getBoolean("whole") && found.getLong("others") == 0
                                ? OptionalLong.of(found.getLong("gone"))
                                : OptionalLong.empty(),
                        MemorySchema.REPLAY_LOCK,
                        host,
                        value));
    }

    private void forget(List<Row> rows, String reason) throws InterruptedException {
        for (Row row : rows) {
            UUID id = Ids.of("forget", row.bank().id(), reason, row.version());
            forget(new Forget(client.meta(id, row.bank().host(), null), row.bank(), Forget.What.BANK, null, null));
        }
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                new BankRef(
                        Columns.uuid(row, "host_id"),
                        row.getString("project_key"),
                        row.getString("agent"),
                        Columns.uuidOrNull(row, "agent_id"),
                        row.getString("user_id"),
                        row.getString("branch")),
                row.getLong("aggregate_version"));
    }

    /**
     * Sends a command; returns whether the content is erased. A refusal because the bank does not have it counts as
     * success.
     */
    private boolean forget(Forget command) throws InterruptedException {
        return client.send(command, Instant.now().plus(TIMEOUT))
                .filter(outcome -> !(outcome instanceof Outcome.Refused refused)
                        || refused.code().startsWith("unknown_"))
                .isPresent();
    }

    private boolean awaitTables() {
        return freshness.await(TIMEOUT);
    }
}
