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
import dev.parley.memory.erasure.ErasedBankRows.Counts;
import dev.parley.memory.erasure.ErasedBankRows.OwnedBank;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.database.Tenant;
import jakarta.inject.Singleton;
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
@Singleton
public final class ErasedMemories {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final BankClient client;
    private final Database database;
    private final ErasedBankRows banks;
    private final ReadYourWrites freshness;

    ErasedMemories(BankClient client, Database database, ErasedBankRows banks, ReadYourWrites freshness) {
        this.client = client;
        this.database = database;
        this.banks = banks;
        this.freshness = freshness;
    }

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
            List<String> names =
                    database.in(Tenant.of(sessionGone.host()), () -> banks.findBranches(sessionGone.host(), bank.id()));
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
        return ofAll(account.host(), account.erasure(), "user", account.user().toString());
    }

    /**
     * Erases all banks of a project.
     *
     * @return number of banks; empty while some are not erased
     */
    public OptionalLong ofProject(Project project) throws InterruptedException {
        return ofAll(project.host(), project.erasure(), "project", project.projectKey());
    }

    /**
     * Erases all banks of a deleted agent.
     *
     * @return number of banks; empty while some are not erased
     */
    public OptionalLong ofAgent(AgentGone agentGone) throws InterruptedException {
        database.in(
                Tenant.of(agentGone.host()),
                () -> banks.addDeletedAgent(agentGone.host(), agentGone.agentId(), Instant.now()));
        String agent = agentGone.agentId().toString();
        OptionalLong forgotten = ofAll(agentGone.host(), agentGone.erasure(), "agent", agent);
        return forgotten.isPresent()
                ? forgotten
                : ofAll(agentGone.host(), agentGone.erasure(), "agent", agent); // the tables may be up to date by now
    }

    /**
     * Erases banks that were reopened after their agent was deleted.
     *
     * @return number of such banks
     */
    int ofReopened() throws InterruptedException {
        List<OwnedBank> reopened = database.in(Tenant.ALL, banks::findReopened);
        forget(reopened, "late");
        return reopened.size();
    }

    /** Deletes records of agents whose last events can no longer be in flight. */
    void forgetDeletedBefore(Instant time) {
        database.in(Tenant.ALL, () -> banks.deleteAgentsBefore(time));
    }

    private OptionalLong ofAll(UUID host, @Nullable UUID erasure, String kind, String owner)
            throws InterruptedException {
        if (!awaitTables()) {
            return OptionalLong.empty();
        }
        List<OwnedBank> rows = database.in(Tenant.of(host), () -> banks.findActive(host, kind, owner));
        forget(rows, String.valueOf(erasure));
        if (!rows.isEmpty()) {
            return OptionalLong.empty(); // counted when the tables are up to date
        }
        Counts counts = database.in(Tenant.of(host), () -> banks.count(MemorySchema.REPLAY_LOCK, host, kind, owner));
        return counts.whole() && counts.active() == 0 ? OptionalLong.of(counts.gone()) : OptionalLong.empty();
    }

    private void forget(List<OwnedBank> rows, String reason) throws InterruptedException {
        for (OwnedBank row : rows) {
            UUID id = Ids.of("forget", row.ref().id(), reason, row.aggregateVersion());
            forget(new Forget(client.meta(id, row.hostId(), null), row.ref(), Forget.What.BANK, null, null));
        }
    }

    /**
     * Sends a command; returns whether the content is erased. A refusal because the bank does not have it counts as
     * success.
     */
    private boolean forget(Forget command) throws InterruptedException {
        return client.send(command, Deadline.in(TIMEOUT))
                .filter(outcome -> !(outcome instanceof Outcome.Refused refused)
                        || refused.code().startsWith("unknown_"))
                .isPresent();
    }

    private boolean awaitTables() {
        return freshness.await(TIMEOUT);
    }
}
