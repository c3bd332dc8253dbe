package dev.parley.control.agents;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.definitions.AgentRow;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.http.Columns;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.platform.config.BuiltInAgents;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
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
 * The agents of projects and hosts, and those of the installation that are seen beside them. The table is the truth; what has
 * changed goes to the topic {@code definitions}, and holds from the next turn on.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = KafkaDefinitions.class)
final class Agents {
    /** Every process that decides turns holds all of them. */
    private static final int MOST = 500;

    private static final String SEEN = AgentRow.SELECT + " AND (project_id IS NULL OR project_id = ?::uuid)";

    private final Database database;
    private final Audit audit;
    private final PublicationBarrier published;
    private final KafkaDefinitions definitions;
    private final KeyReferences keys;

    Agents(
            Database database,
            PublicationBarrier published,
            KafkaDefinitions definitions,
            KeyReferences keys,
            Audit audit) {
        this.audit = audit;
        this.database = database;
        this.published = published;
        this.definitions = definitions;
        this.keys = keys;
    }

    /** What sessions there see, by name: a project's own before its host's before the installation's. */
    Collection<AgentJson> seen(DefinitionScope scope) {
        var seen = new TreeMap<String, AgentJson>();
        definitions.installation().agents().forEach(agent -> seen.put(agent.name(), ofInstallation(agent)));
        rows(scope, SEEN + " AND active ORDER BY project_id NULLS FIRST")
                .forEach(row -> seen.put(row.agent().name(), AgentJson.of(row)));
        return seen.values();
    }

    /** Those that were defined in this place and deleted, by name. */
    List<AgentJson> deleted(DefinitionScope scope) {
        return rows(
                        scope,
                        AgentRow.SELECT + " AND project_id IS NOT DISTINCT FROM ?::uuid AND NOT active ORDER BY name")
                .stream()
                .map(AgentJson::of)
                .toList();
    }

    /** Those that are defined in this place, by name. */
    List<AgentJson> own(DefinitionScope scope) {
        return rows(scope, AgentRow.SELECT + " AND project_id IS NOT DISTINCT FROM ?::uuid AND active ORDER BY name")
                .stream()
                .map(AgentJson::of)
                .toList();
    }

    /** One that is defined in this place. */
    Optional<AgentJson> own(DefinitionScope scope, String name) {
        return database.in(scope.caller().tenant(), transaction -> AgentRow.find(transaction, scope.scope(), name))
                .map(AgentJson::of);
    }

    private List<AgentRow> rows(DefinitionScope scope, String sql) {
        return database.in(
                scope.caller().tenant(),
                transaction ->
                        transaction.query(sql, row -> Columns.all(row, AgentRow::of), scope.host(), scope.projectId()));
    }

    private static AgentJson ofInstallation(Agent agent) {
        return AgentJson.ofInstallation(agent, BuiltInAgents.contain(agent) ? "builtin" : "config");
    }

    /** One that is seen there. @throws ApiException 404 when there is none of this name */
    AgentJson find(DefinitionScope scope, String name) {
        return seen(scope).stream()
                .filter(agent -> agent.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private static ApiException unknown(String name) {
        return ApiException.notFound("unknown_agent", "There is no agent '" + name + "' here");
    }

    /**
     * Defines an agent in this place.
     *
     * @param dryRun true to check it and change nothing
     * @throws ApiException 409 where this place has one of this name, or has too many
     */
    AgentJson make(DefinitionScope scope, AgentRow wanted, boolean dryRun) {
        String name = wanted.agent().name();
        AgentRow made = database.in(scope.tenant(), transaction -> {
            if (AgentRow.find(transaction, scope.scope(), name).isPresent()) {
                throw exists(scope, name);
            }
            keys.check(transaction, scope.caller(), wanted.agent(), null);
            refuseTooMany(transaction, scope);
            if (dryRun) {
                return wanted;
            }
            if (AgentRows.insert(transaction, wanted, scope.caller().user()) == 0) {
                throw exists(scope, name);
            }
            return changed(transaction, scope, "create", name);
        });
        return published(scope, made, dryRun);
    }

    private static ApiException exists(DefinitionScope scope, String name) {
        return new ApiException(
                HttpStatus.CONFLICT,
                "agent_exists",
                "The %s has an agent '%s' already: change it with PUT.".formatted(scope.word(), name));
    }

    private static void refuseTooMany(Transaction transaction, DefinitionScope scope) {
        int there = AgentRows.count(transaction, scope.scope());
        if (there >= MOST) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many_agents",
                    "The %s has %d agents already: delete some.".formatted(scope.word(), there));
        }
    }

    private AgentRow changed(Transaction transaction, DefinitionScope scope, String action, String name) {
        audit(scope, action, name);
        return AgentRow.find(transaction, scope.scope(), name).orElseThrow();
    }

    private void audit(DefinitionScope scope, String action, String name) {
        audit.add(Entry.done(
                scope.host(),
                scope.projectId(),
                "agent",
                action,
                name,
                scope.caller().user()));
    }

    private AgentJson published(DefinitionScope scope, AgentRow row, boolean dryRun) {
        if (!dryRun) {
            published.awaitDefinition(scope.key(row.agent().name()), row.agent());
        }
        return AgentJson.of(row);
    }

    /** Puts an agent of this place in the place of the present one. @throws ApiException 412 or 428 as {@link IfMatch} says */
    AgentJson replace(DefinitionScope scope, AgentRow wanted, @Nullable String ifMatch, boolean dryRun) {
        String name = wanted.agent().name();
        AgentRow replaced = database.in(scope.tenant(), transaction -> {
            AgentRow before = locked(transaction, scope, name);
            IfMatch.require(ifMatch, before.version());
            keys.check(transaction, scope.caller(), wanted.agent(), before);
            if (dryRun) {
                return wanted.in(before);
            }
            AgentRows.update(transaction, wanted, scope.caller().user());
            return changed(transaction, scope, "change", name);
        });
        return published(scope, replaced, dryRun);
    }

    /**
     * Deletes an agent of this place; turns that run keep it. Its banks of memory are forgotten.
     *
     * @return the erasure of these, which has a receipt
     */
    UUID delete(DefinitionScope scope, String name, @Nullable String ifMatch) {
        UUID agent = database.in(scope.tenant(), transaction -> {
            AgentRow row = locked(transaction, scope, name);
            IfMatch.check(ifMatch, row.version());
            AgentRows.delete(transaction, scope.scope(), name, scope.caller().user());
            audit(scope, "delete", name);
            return row.id();
        });
        published.awaitDefinition(scope.key(name), null);
        return AgentGone.erasure(agent);
    }

    /** @throws ApiException 403 for one that is seen here and defined elsewhere, 404 where there is none */
    private AgentRow locked(Transaction transaction, DefinitionScope scope, String name) {
        if (!AgentReader.isName(name)) {
            throw unknown(name);
        }
        return AgentRow.locked(transaction, scope.scope(), name).orElseThrow(() -> elsewhere(scope, name));
    }

    private ApiException elsewhere(DefinitionScope scope, String name) {
        AgentJson agent = find(scope, name);
        boolean hosts = agent.source().equals("host");
        return new ApiException(
                HttpStatus.FORBIDDEN,
                hosts ? "inherited_agent" : "builtin_agent",
                "The agent '%s' is %s. To have another one of this name here, POST it."
                        .formatted(name, hosts ? "the host's" : "built in or configured, and cannot be changed here"));
    }
}
