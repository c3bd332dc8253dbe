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
 * A bank of memory, by whose it is: nothing else names one, so nobody can name another one's.
 *
 * @param project key of the project, or null for the bank of a whole host
 * @param agent name of the agent, or null where it is for all
 * @param agentId of an agent that can be deleted, whose banks end with it: one of the same name afterwards has others. Null for one of
 *     the installation, and where it is for all
 * @param user id of the person, or null where it is for all
 * @param branch name of the branch of that bank, or null for the bank itself: only who asks for a branch by its name gets it
 */
public record BankRef(
        UUID host,
        @Nullable String project,
        @Nullable String agent,
        @Nullable UUID agentId,
        @Nullable String user,
        @Nullable String branch) {
    private static final String PREFIX = "bank:";

    /** @throws IllegalArgumentException for a bank of a host that is also a person's or an agent's, and for one of a project that is nobody's */
    public BankRef {
        if ((project == null) != (agent == null && user == null)) {
            throw new IllegalArgumentException(
                    "a bank is a host's, or in a project an agent's, a person's, or a person's with an agent");
        }
        if (agent == null && agentId != null) {
            throw new IllegalArgumentException("a bank that is for all agents has no agent's id");
        }
    }

    /** The bank itself, where it is for all agents or of one that cannot be deleted. */
    public BankRef(UUID host, @Nullable String project, @Nullable String agent, @Nullable String user) {
        this(host, project, agent, null, user, null);
    }

    /** The branch of this name, of the same people. */
    public BankRef branch(String name) {
        return new BankRef(host, project, agent, agentId, user, name);
    }

    /** The bank that this is a branch of; empty for none. */
    public Optional<BankRef> origin() {
        return Optional.ofNullable(branch).map(_ -> new BankRef(host, project, agent, agentId, user, null));
    }

    /** Whose it is. */
    public BankScope scope() {
        if (user != null) {
            return agent == null ? BankScope.USER : BankScope.USER_AGENT;
        }
        return agent == null ? BankScope.HOST : BankScope.AGENT;
    }

    /** Its id. */
    public UUID id() {
        var words = new ArrayList<Object>(List.of("bank", host));
        Stream.of(
                        Optional.ofNullable(project),
                        named("user", user),
                        named("agent", agent),
                        named("agent id", agentId),
                        named("branch", branch))
                .flatMap(Optional::stream)
                .forEach(words::add);
        return Ids.of(words.toArray());
    }

    private static Optional<String> named(String kind, @Nullable Object name) {
        return Optional.ofNullable(name).map(word -> kind + "\u0001" + word);
    }

    /** The key of its records: {@code {project, or the host}/bank:{id}}. */
    public RecordKey key() {
        return new RecordKey(project == null ? host.toString() : project, PREFIX + id());
    }

    /** The project's id in tables, or empty for the bank of a host. */
    public Optional<UUID> projectId() {
        return Optional.ofNullable(project).map(RecordKey::projectId);
    }

    /** Whether a key is that of a bank and not of a session. */
    public static boolean isKey(RecordKey key) {
        return key.session().startsWith(PREFIX);
    }
}
