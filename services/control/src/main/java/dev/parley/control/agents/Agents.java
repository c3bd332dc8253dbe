package dev.parley.control.agents;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.definitions.AgentRow;
import dev.parley.control.definitions.AgentRows;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.http.NewIds;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.platform.config.BuiltInAgents;
import dev.parley.platform.database.Database;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Agents of projects and hosts, and the installation-wide ones that they inherit. The table is the source of truth;
 * changes are published on {@code definitions} and apply from the next turn on.
 */
@Singleton
@Requires(beans = KafkaDefinitions.class)
final class Agents {
    /** Every instance that decides turns holds all of them in memory. */
    private static final int MAX_AGENTS = 500;

    private final Database database;
    private final AgentRows rows;
    private final Audit audit;
    private final PublicationBarrier published;
    private final KafkaDefinitions definitions;
    private final KeyReferences keys;

    Agents(
            Database database,
            AgentRows rows,
            PublicationBarrier published,
            KafkaDefinitions definitions,
            KeyReferences keys,
            Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
        this.definitions = definitions;
        this.keys = keys;
    }

    /**
     * The agents that sessions see, by name: those of the project override those of the host, which override the
     * installation's.
     */
    Collection<AgentJson> visible(DefinitionScope scope) {
        var visible = new TreeMap<String, AgentJson>();
        definitions.installation().agents().forEach(agent -> visible.put(agent.name(), ofInstallation(agent)));
        database.in(scope.caller().tenant(), () -> rows.visible(scope.host(), scope.projectId()))
                .forEach(row -> visible.put(row.name(), AgentJson.of(row)));
        return visible.values();
    }

    /** The agents defined in the scope itself, or its deleted ones, by name. */
    List<AgentJson> listOwn(DefinitionScope scope, boolean active) {
        return database.in(scope.caller().tenant(), () -> rows.own(scope.host(), scope.projectId(), active)).stream()
                .map(AgentJson::of)
                .toList();
    }

    /** An agent defined in the scope itself. */
    Optional<AgentJson> findOwn(DefinitionScope scope, String name) {
        return database.in(scope.caller().tenant(), () -> rows.find(scope.host(), scope.projectId(), name))
                .map(AgentJson::of);
    }

    private static AgentJson ofInstallation(Agent agent) {
        return AgentJson.ofInstallation(agent, BuiltInAgents.contain(agent) ? "builtin" : "config");
    }

    /**
     * An agent that sessions see.
     *
     * @throws ApiException 404 when no agent has this name
     */
    AgentJson find(DefinitionScope scope, String name) {
        return visible(scope).stream()
                .filter(agent -> agent.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private static ApiException unknown(String name) {
        return ApiException.notFound("unknown_agent", "There is no agent '" + name + "' here");
    }

    /**
     * Defines an agent in the scope.
     *
     * @param dryRun true to validate it and change nothing
     * @throws ApiException 409 where the scope has an agent of this name, or too many agents
     */
    AgentJson create(DefinitionScope scope, Agent requested, boolean dryRun) {
        AgentRow created = database.in(scope.tenant(), transaction -> {
            transaction.lock("quota/agents/" + scope.scope());
            if (rows.find(scope.host(), scope.projectId(), requested.name()).isPresent()) {
                throw exists(scope, requested.name());
            }
            keys.check(scope.caller(), requested, null);
            requireQuota(scope);
            AgentRow row = AgentRow.of(scope, NewIds.next(), requested);
            return dryRun ? row : put(scope, "create", row);
        });
        return publish(scope, created, dryRun);
    }

    private static ApiException exists(DefinitionScope scope, String name) {
        return new ApiException(
                HttpStatus.CONFLICT,
                "agent_exists",
                "The %s already has an agent '%s': change it with PUT.".formatted(scope.word(), name));
    }

    private void requireQuota(DefinitionScope scope) {
        long count = rows.count(scope.host(), scope.projectId());
        if (count >= MAX_AGENTS) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many_agents",
                    "The %s already has %d agents: delete some.".formatted(scope.word(), count));
        }
    }

    /** @throws ApiException 409 where an agent of this name was created meanwhile */
    private AgentRow put(DefinitionScope scope, String action, AgentRow row) {
        rows.put(row);
        audit(scope, action, row.name());
        return rows.find(scope.host(), scope.projectId(), row.name())
                .filter(stored -> stored.agentDefId().equals(row.agentDefId()))
                .orElseThrow(() -> exists(scope, row.name()));
    }

    private void audit(DefinitionScope scope, String action, String name) {
        String user = scope.caller().user();
        audit.add(Entry.done(scope.host(), scope.projectId(), "agent", action, name, user));
    }

    private AgentJson publish(DefinitionScope scope, AgentRow row, boolean dryRun) {
        if (!dryRun) {
            published.awaitDefinition(scope.key(row.name()), row.stored().require());
        }
        return AgentJson.of(row);
    }

    /**
     * Replaces an agent of the scope.
     *
     * @throws ApiException 412 or 428 as {@link IfMatch} says
     */
    AgentJson replace(DefinitionScope scope, Agent requested, @Nullable String ifMatch, boolean dryRun) {
        AgentRow replaced = database.in(scope.tenant(), () -> {
            AgentRow before = requireForUpdate(scope, requested.name());
            IfMatch.require(ifMatch, before.version());
            keys.check(scope.caller(), requested, before.stored().valid().orElse(null));
            AgentRow row = AgentRow.of(scope, before.agentDefId(), requested);
            return dryRun ? row : put(scope, "change", row);
        });
        return publish(scope, replaced, dryRun);
    }

    /**
     * Deletes an agent of the scope; running turns keep it. Its memory banks are erased.
     *
     * @return the id of the erasure of its memory
     */
    UUID delete(DefinitionScope scope, String name, @Nullable String ifMatch) {
        UUID agent = database.in(scope.tenant(), () -> {
            AgentRow row = requireForUpdate(scope, name);
            IfMatch.check(ifMatch, row.version());
            rows.delete(scope.host(), scope.projectId(), name, scope.caller().user());
            audit(scope, "delete", name);
            return row.agentDefId();
        });
        published.awaitDefinition(scope.key(name), null);
        return AgentGone.erasure(agent);
    }

    /** @throws ApiException 403 for an inherited agent, 404 where no agent has this name */
    private AgentRow requireForUpdate(DefinitionScope scope, String name) {
        if (!name.matches(Agent.NAME)) {
            throw unknown(name);
        }
        return rows.locked(scope.host(), scope.projectId(), name).orElseThrow(() -> inheritedRefusal(scope, name));
    }

    private ApiException inheritedRefusal(DefinitionScope scope, String name) {
        AgentJson agent = find(scope, name);
        boolean isOfHost = agent.source().equals("host");
        return new ApiException(
                HttpStatus.FORBIDDEN,
                isOfHost ? "inherited_agent" : "builtin_agent",
                "The agent '%s' is %s. POST one of this name to override it here."
                        .formatted(name, isOfHost ? "the host's" : "built in or configured, and cannot be changed"));
    }
}
