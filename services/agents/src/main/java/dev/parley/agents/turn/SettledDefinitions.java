package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.Definitions;
import dev.parley.domain.turn.ToolSpec;
import dev.parley.platform.access.Known;
import dev.parley.platform.collection.NewestMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The agents with what is set for the host while it runs: the setting {@value #DEFAULT_MODEL} goes before the model of the agent
 * {@code default}. An agent that a setting changes has a version of its own, so that a turn keeps what it started with.
 */
final class SettledDefinitions implements Definitions {
    static final String DEFAULT_MODEL = "defaultModel";

    private static final int OLD_VERSIONS = 1_000;

    private final Definitions base;
    private final Known known;
    private final Map<String, Agent> versions = new NewestMap<>(OLD_VERSIONS);

    SettledDefinitions(Definitions base, Known known) {
        this.base = base;
        this.known = known;
    }

    @Override
    public List<Agent> agents() {
        return base.agents().stream().map(this::settled).toList();
    }

    @Override
    public List<ToolSpec> tools() {
        return base.tools();
    }

    @Override
    public Optional<Agent> agent(String name) {
        return base.agent(name).map(this::settled);
    }

    @Override
    public Optional<Agent> agent(String name, String version) {
        synchronized (versions) {
            Agent before = versions.get(name + "@" + version);
            if (before != null) {
                return Optional.of(before);
            }
        }
        return base.agent(name, version).map(found -> found.version().equals(version) ? found : settled(found));
    }

    @Override
    public boolean isErased(RecordKey session, UUID host, @Nullable String user) {
        return known.isErased(session.project()) || user != null && isErased(host, user);
    }

    /** Channels may know people by other names than the ids of their accounts. */
    private boolean isErased(UUID host, String user) {
        try {
            return known.account(host, UUID.fromString(user))
                    .filter(account -> account.erasure() != null)
                    .isPresent();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Agent settled(Agent agent) {
        Optional<String> model = agent.name().equals(Agent.DEFAULT)
                ? known.setting(Known.DEFAULT_HOST, DEFAULT_MODEL).map(SettledDefinitions::text)
                : Optional.empty();
        if (model.isEmpty() || model.get().equals(agent.provider() + "/" + agent.model())) {
            return agent;
        }
        Agent settled = agent.instead(model.get()).versioned();
        synchronized (versions) {
            versions.put(settled.name() + "@" + settled.version(), settled);
        }
        return settled;
    }

    /** The control service takes nothing but a JSON text without signs that JSON escapes. */
    private static String text(Setting setting) {
        return setting.value().substring(1, setting.value().length() - 1);
    }
}
