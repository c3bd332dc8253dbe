package dev.parley.domain.bank;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a memory bank, derived from its owner. There is no other name for a bank, so no caller can name a bank of
 * another owner.
 *
 * @param project key of the project, or null for a host-level bank
 * @param agent name of the agent, or null if the bank is for all agents
 * @param agentId id of a project-level or host-level agent: its banks end with its deletion, and a later agent of the
 *     same name has others. Null for an installation-wide agent, and if the bank is for all agents
 * @param user id of the user, or null if the bank is for all users
 * @param branch name of the branch, or null for the bank itself; a branch is only used on explicit request
 */
public record BankRef(
        UUID host,
        @Nullable String project,
        @Nullable String agent,
        @Nullable UUID agentId,
        @Nullable String user,
        @Nullable String branch) {
    private static final String PREFIX = "bank:";

    /**
     * @throws IllegalArgumentException for a host-level bank with a user or an agent, and for a project-level bank with
     *     neither
     */
    public BankRef {
        if ((project == null) != (agent == null && user == null)) {
            throw new IllegalArgumentException(
                    "a bank is a host's, or in a project an agent's, a person's, or a person's with an agent");
        }
        if (agent == null && agentId != null) {
            throw new IllegalArgumentException("a bank that is for all agents has no agent's id");
        }
    }

    /** A bank without a branch, for all agents or for an agent that cannot be deleted. */
    public BankRef(UUID host, @Nullable String project, @Nullable String agent, @Nullable String user) {
        this(host, project, agent, null, user, null);
    }

    /** The branch of this name of the same owner's bank. */
    public BankRef branch(String name) {
        return new BankRef(host, project, agent, agentId, user, name);
    }

    /** The bank that this is a branch of; empty if it is not a branch. */
    public Optional<BankRef> origin() {
        return Optional.ofNullable(branch).map(_ -> new BankRef(host, project, agent, agentId, user, null));
    }

    public BankScope scope() {
        if (user != null) {
            return agent == null ? BankScope.USER : BankScope.USER_AGENT;
        }
        return agent == null ? BankScope.HOST : BankScope.AGENT;
    }

    /** The deterministic id of the bank. */
    public UUID id() {
        var parts = new ArrayList<Object>(List.of("bank", host));
        Stream.of(
                        Optional.ofNullable(project),
                        keyPart("user", user),
                        keyPart("agent", agent),
                        keyPart("agent id", agentId),
                        keyPart("branch", branch))
                .flatMap(Optional::stream)
                .forEach(parts::add);
        return Ids.of(parts.toArray());
    }

    private static Optional<String> keyPart(String kind, @Nullable Object name) {
        return Optional.ofNullable(name).map(value -> kind + "\u0001" + value);
    }

    /** The key of the bank's records: {@code <project or host>/bank:<id>}. */
    public RecordKey key() {
        return new RecordKey(project == null ? host.toString() : project, PREFIX + id());
    }

    /** The project's id in tables; empty for a host-level bank. */
    public Optional<UUID> projectId() {
        return Optional.ofNullable(project).map(RecordKey::projectId);
    }

    /** Whether this is the key of a bank, not of a session. */
    public static boolean isKey(RecordKey key) {
        return key.session().startsWith(PREFIX);
    }
}
