package dev.parley.platform.definitions;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Definitions;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicFollower;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topic {@code definitions}: all of it is in memory before {@link #start} returns; changes arrive within
 * a second.
 */
public final class KafkaDefinitions implements Catalogue, Service {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration START = Duration.ofSeconds(30);
    private static final int OLD_VERSIONS = 10_000;

    private final TopicFollower<Definition> follower;
    private final ConcurrentMap<String, Definition> all = new ConcurrentHashMap<>();
    private final ConcurrentMap<DefinitionScope, Map<String, Definition>> own = new ConcurrentHashMap<>();

    /** What is seen from the scopes that have definitions of their own, until any changes. */
    private final ConcurrentMap<DefinitionScope, ScopedDefinitions> seen = new ConcurrentHashMap<>();

    /** Ids of the agents that projects and hosts define now. */
    private final Set<UUID> agents = ConcurrentHashMap.newKeySet();

    /** Versions that turns may still be pinned to, by name and version. */
    private final Map<String, Agent> versions = Collections.synchronizedMap(new BoundedMap<>(OLD_VERSIONS));

    public KafkaDefinitions(KafkaClients clients) {
        this.follower = new TopicFollower<>(clients, Topics.DEFINITIONS, this::take, START);
    }

    @Override
    public String name() {
        return "definitions";
    }

    @Override
    public void start() {
        follower.start();
    }

    private void take(String key, @Nullable Definition definition) {
        DefinitionScope scope = DefinitionScope.of(key);
        var partitionBanks = own.computeIfAbsent(scope, _ -> new ConcurrentHashMap<>());
        Definition before;
        if (definition == null) {
            before = all.remove(key);
            partitionBanks.remove(key);
        } else {
            before = all.put(key, definition);
            partitionBanks.put(key, definition);
            if (definition instanceof Agent agent) {
                versions.put(agent.name() + "@" + agent.version(), agent);
            }
        }
        agentId(definition).ifPresent(agents::add);
        agentId(before)
                .filter(id -> !id.equals(agentId(definition).orElse(null)))
                .ifPresent(agents::remove);
        if (partitionBanks.isEmpty()) {
            own.remove(scope);
        }
        synchronized (this) {
            seen.keySet().removeIf(from -> from.widestFirst().contains(scope));
            notifyAll();
        }
    }

    private static Optional<UUID> agentId(@Nullable Definition definition) {
        return definition instanceof Agent agent ? Optional.ofNullable(agent.id()) : Optional.empty();
    }

    /** Whether an agent of a project or a host was not deleted, wherever it is defined. */
    public boolean hasAgent(UUID id) {
        return agents.contains(id);
    }

    /** What stands on {@code definitions} now, by key. */
    Map<String, Definition> all() {
        return Map.copyOf(all);
    }

    /** Waits until these keys are known here. @throws IllegalStateException when they do not come */
    synchronized void await(Set<String> keys) {
        Instant until = Instant.now().plus(START);
        try {
            while (!all.keySet().containsAll(keys)) {
                if (Instant.now().isAfter(until)) {
                    throw new IllegalStateException(keys + " did not appear on the topic definitions");
                }
                wait(POLL_INTERVAL.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for definitions", e);
        }
    }

    @Override
    public Definitions in(UUID host, UUID project) {
        return seen(new DefinitionScope(host, project));
    }

    /** What a host defines, and the installation. */
    public Definitions ofHost(UUID host) {
        return seen(new DefinitionScope(host, null));
    }

    /** What the installation itself defines. */
    public Definitions installation() {
        return seen(DefinitionScope.INSTALLATION);
    }

    @Override
    public boolean isOwn(UUID host, UUID project, String agent) {
        return all.containsKey(new DefinitionScope(host, project).key("agent", agent))
                || all.containsKey(new DefinitionScope(host, null).key("agent", agent));
    }

    /** Whether a record stands here as it is to be. @param definition null where there is to be none */
    public boolean shows(String key, @Nullable Definition definition) {
        return Objects.equals(all.get(key), definition);
    }

    /** Most projects have nothing of their own: they share what their host or the installation has. */
    private ScopedDefinitions seen(DefinitionScope scope) {
        if (!own.containsKey(scope) && scope.wider().isPresent()) {
            return seen(scope.wider().get());
        }
        ScopedDefinitions known = seen.get(scope);
        return known == null ? seeing(scope) : known;
    }

    /** No change comes between looking and remembering what was seen. */
    private synchronized ScopedDefinitions seeing(DefinitionScope scope) {
        return seen.computeIfAbsent(scope, this::look);
    }

    private ScopedDefinitions look(DefinitionScope scope) {
        return ScopedDefinitions.of(
                scope.widestFirst().stream()
                        .map(wide -> own.getOrDefault(wide, Map.of()).values())
                        .toList(),
                (name, version) -> versions.get(name + "@" + version));
    }

    @Override
    public Optional<String> problem() {
        return follower.problem();
    }

    @Override
    public void close() {
        follower.close();
    }
}
