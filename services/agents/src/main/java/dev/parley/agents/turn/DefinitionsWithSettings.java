package dev.parley.agents.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.access.Capability;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.DefinitionsAround;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.Toolset;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.config.BuiltInAgents;
import dev.parley.platform.config.bot.BotNames;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.http.Caller;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Definitions with the run-time settings of project and host applied to agents. The setting {@value #DEFAULT_MODEL}
 * overrides the model of the installation's agent {@code default} and of built-in agents; the project's setting takes
 * precedence over the host's. Guardrails of the project run before those of the agent. An agent changed by settings has
 * its own version, so that a turn keeps the version it started with.
 */
final class DefinitionsWithSettings implements DefinitionCatalogue {
    static final String DEFAULT_MODEL = "defaultModel";

    private static final int MAX_VERSIONS = 1_000;

    private final DefinitionCatalogue base;
    private final AccessDirectory directory;
    private final BotNames bots;
    private final Map<String, Agent> versions = Collections.synchronizedMap(new BoundedMap<>(MAX_VERSIONS));

    /** A cache: the version of an agent is computed from its content. */
    private final Map<AppliedSettings, Agent> settled = Collections.synchronizedMap(new BoundedMap<>(MAX_VERSIONS));

    DefinitionsWithSettings(DefinitionCatalogue base, AccessDirectory directory) {
        this(base, directory, _ -> Set.of());
    }

    DefinitionsWithSettings(DefinitionCatalogue base, AccessDirectory directory, BotNames bots) {
        this.base = base;
        this.directory = directory;
        this.bots = bots;
    }

    @Override
    public Definitions in(UUID host, UUID project) {
        return new WithSettings(host, project, base.in(host, project));
    }

    /**
     * The settings for an agent.
     *
     * @param model {@code provider/model}
     */
    private record AppliedSettings(Agent agent, String model, List<Guardrail> first) {}

    private final class WithSettings implements DefinitionsAround {
        private final UUID host;
        private final UUID project;
        private final Definitions there;

        WithSettings(UUID host, UUID project, Definitions there) {
            this.host = host;
            this.project = project;
            this.there = there;
        }

        @Override
        public Definitions there() {
            return there;
        }

        @Override
        public List<Agent> agents() {
            return there.agents().stream().map(this::withSettings).toList();
        }

        /** Independent of settings. */
        @Override
        public Toolset toolset(Agent agent, Disclosed disclosed) {
            return there.toolset(agent, disclosed);
        }

        @Override
        public Optional<Agent> agent(String name) {
            return there.agent(name).map(this::withSettings);
        }

        @Override
        public Optional<Agent> agent(String name, String version) {
            return Optional.ofNullable(versions.get(name + "@" + version))
                    .or(() -> there.agent(name, version)
                            .map(found -> found.version().equals(version) ? found : withSettings(found)));
        }

        @Override
        public boolean isErased(RecordKey session, UUID owner, @Nullable String user) {
            return directory.isErased(session.project()) || user != null && isErasedPerson(owner, user);
        }

        @Override
        public boolean maySend(RecordKey session, UUID owner, @Nullable String user, boolean owns) {
            String key = session.project();
            return Caller.inNameOf(owner, user, directory)
                    .filter(person -> person.may(Capability.SESSION_SEND, key))
                    .filter(person -> owns || person.readsAll(key))
                    .isPresent();
        }

        @Override
        public ZoneId zone(UUID owner, @Nullable String user) {
            return directory.of(owner, user);
        }

        @Override
        public Set<String> bots() {
            return bots.of(RecordKey.projectKey(project));
        }

        @Override
        public Optional<String> account(String username) {
            return directory
                    .accountNamed(host, username)
                    .map(account -> account.user().toString());
        }

        private boolean takesDefaultModel(Agent agent) {
            return (agent.name().equals(Agent.DEFAULT) || BuiltInAgents.contain(agent))
                    && !base.isOwn(host, project, agent.name());
        }

        private Optional<Project> here() {
            return directory
                    .project(RecordKey.projectKey(project))
                    .filter(found -> found.host().equals(host));
        }

        /** The project's default model, else the host's. */
        private Optional<String> defaultModel() {
            return here().map(Project::defaultModel)
                    .or(() -> directory.setting(host, DEFAULT_MODEL).map(DefinitionsWithSettings::text));
        }

        private Agent withSettings(Agent agent) {
            String ownModel = agent.provider() + "/" + agent.model();
            String model = takesDefaultModel(agent) ? defaultModel().orElse(ownModel) : ownModel;
            List<Guardrail> rails = here().map(Project::guardrails).orElse(List.of());
            if (rails.isEmpty() && model.equals(ownModel)) {
                return agent;
            }
            Agent changed = settled.computeIfAbsent(
                    new AppliedSettings(agent, model, rails),
                    _ -> (model.equals(ownModel) ? agent : agent.instead(model)).withLeadingGuardrails(rails));
            versions.put(changed.name() + "@" + changed.version(), changed);
            return changed;
        }
    }

    /** Whether the account is erased; channel users are not account ids. */
    private boolean isErasedPerson(UUID host, String user) {
        try {
            return directory
                    .account(host, Ids.parse(user))
                    .filter(account -> account.erasure() != null)
                    .isPresent();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The text of a setting: the control service accepts only JSON strings without escapes. */
    private static String text(Setting setting) {
        return setting.value().substring(1, setting.value().length() - 1);
    }
}
