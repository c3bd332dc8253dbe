package dev.parley.platform.definitions;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.document.Fault;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicFollower;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.UnreadableRecordException;
import dev.parley.platform.serde.UnreadableRecordException.Reason;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topic {@code definitions}: all of it is in memory before {@link #start} returns; changes arrive within
 * a second.
 */
public final class KafkaDefinitions implements DefinitionCatalogue, Service {
    private static final Document<Agent> AGENT = Document.of(Agent.class);
    private static final Document<Skill> SKILL = Document.of(Skill.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration START = Duration.ofSeconds(30);
    private static final int OLD_VERSIONS = 10_000;

    private final TopicFollower<Definition> follower;
    private final ConcurrentMap<String, Definition> all = new ConcurrentHashMap<>();
    /** Definitions of each scope by key; empty where this build refuses one. */
    private final ConcurrentMap<CatalogueScope, Map<String, Optional<Definition>>> own = new ConcurrentHashMap<>();

    /** When the current records were written, by key. */
    private final ConcurrentMap<String, Instant> written = new ConcurrentHashMap<>();

    /** Definitions visible from the scopes that have their own, until one changes. */
    private final ConcurrentMap<CatalogueScope, ScopedDefinitions> visible = new ConcurrentHashMap<>();

    /** Ids of the current agents of projects and hosts. */
    private final Set<UUID> agents = ConcurrentHashMap.newKeySet();

    /** Agents that turns may still be pinned to, by name and version. */
    private final Map<String, Agent> versions = Collections.synchronizedMap(new BoundedMap<>(OLD_VERSIONS));

    public KafkaDefinitions(KafkaClients clients) {
        this.follower = new TopicFollower<>(clients, Topics.DEFINITIONS, new Updates(), START);
    }

    @Override
    public String name() {
        return "definitions";
    }

    @Override
    public void start() {
        follower.start();
    }

    private final class Updates implements TopicFollower.Listener<Definition> {
        @Override
        public void accept(String key, @Nullable Definition definition, Instant writtenAt) {
            requireValid(definition);
            written.put(key, writtenAt);
            update(key, definition, false);
        }

        /**
         * Neither its older state nor a wider definition of its name takes the place of a refused definition, as they
         * may allow more. All calls are denied where a rule is refused.
         */
        @Override
        public void refuse(String key, SerializationException problem) {
            if (CatalogueScope.isKey(key)) {
                update(key, null, true);
            }
        }
    }

    private void update(String key, @Nullable Definition definition, boolean isRefused) {
        CatalogueScope scope = CatalogueScope.of(key);
        Definition before = definition == null ? all.remove(key) : all.put(key, definition);
        updateScope(scope, key, definition, isRefused);
        if (definition instanceof Agent agent) {
            versions.put(agent.name() + "@" + agent.version(), agent);
        }
        agentId(definition).ifPresent(agents::add);
        agentId(before)
                .filter(id -> !isRefused && !id.equals(agentId(definition).orElse(null)))
                .ifPresent(agents::remove);
        synchronized (this) {
            visible.keySet().removeIf(from -> from.widestFirst().contains(scope));
            notifyAll();
        }
    }

    /** @throws UnreadableRecordException if files and requests with this definition are refused */
    public static void requireValid(@Nullable Definition definition) {
        List<Fault> faults = switch (definition) {
            case Agent agent -> AGENT.faults(agent);
            case Skill skill -> SKILL.faults(skill);
            case null, default -> List.of();
        };
        if (!faults.isEmpty()) {
            String problem = new InvalidDocumentException(faults).getMessage();
            throw new UnreadableRecordException(Reason.INVALID_VALUE, Topics.DEFINITIONS.name(), problem, null);
        }
    }

    private void updateScope(CatalogueScope scope, String key, @Nullable Definition definition, boolean isRefused) {
        if (definition != null || isRefused) {
            own.computeIfAbsent(scope, _ -> new ConcurrentHashMap<>()).put(key, Optional.ofNullable(definition));
            return;
        }
        own.computeIfPresent(scope, (_, definitions) -> {
            definitions.remove(key);
            return definitions.isEmpty() ? null : definitions;
        });
    }

    private static Optional<UUID> agentId(@Nullable Definition definition) {
        return definition instanceof Agent agent ? Optional.ofNullable(agent.id()) : Optional.empty();
    }

    /** Whether an agent of a project or host exists. */
    public boolean hasAgent(UUID id) {
        return agents.contains(id);
    }

    /** Keys of records that have to be published again, since the newest installation key has not signed them. */
    public Set<String> outdated() {
        return follower.outdated();
    }

    /** The current records of {@code definitions}, by key. */
    Map<String, Definition> all() {
        return Map.copyOf(all);
    }

    /** The keys of the installation's own definitions, with those that this build refuses. */
    Set<String> keysOfInstallation() {
        return Set.copyOf(
                own.getOrDefault(CatalogueScope.INSTALLATION, Map.of()).keySet());
    }

    /**
     * Waits until records with these keys are read.
     *
     * @throws IllegalStateException after 30 s
     */
    synchronized void await(Set<String> keys) {
        long start = System.nanoTime();
        try {
            while (!all.keySet().containsAll(keys)) {
                if (System.nanoTime() - start > START.toNanos()) {
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
        return visible(new CatalogueScope(host, project));
    }

    /** The definitions of a host and the installation. */
    public Definitions ofHost(UUID host) {
        return visible(new CatalogueScope(host, null));
    }

    /** The definitions of the installation. */
    public Definitions installation() {
        return visible(CatalogueScope.INSTALLATION);
    }

    @Override
    public CatalogueScope scopeOf(UUID host, UUID project, Definition definition) {
        var own = new CatalogueScope(host, project);
        var wider = new CatalogueScope(host, null);
        return !shows(own.key(definition), definition) && shows(wider.key(definition), definition) ? wider : own;
    }

    @Override
    public Optional<Instant> publishedAt(UUID host, UUID project, Definition definition) {
        return new CatalogueScope(host, project)
                .widestFirst().reversed().stream()
                        .map(scope -> scope.key(definition))
                        .filter(key -> shows(key, definition))
                        .findFirst()
                        .flatMap(key -> Optional.ofNullable(written.get(key)));
    }

    @Override
    public boolean isOwn(UUID host, UUID project, String agent) {
        return all.containsKey(new CatalogueScope(host, project).key("agent", agent))
                || all.containsKey(new CatalogueScope(host, null).key("agent", agent));
    }

    /**
     * Whether a record is up to date.
     *
     * @param definition the expected one, or null for none
     */
    public boolean shows(String key, @Nullable Definition definition) {
        return Objects.equals(all.get(key), definition);
    }

    /**
     * The definitions visible from a scope. Scopes without own definitions, as most projects, share those of the wider
     * scope.
     */
    private ScopedDefinitions visible(CatalogueScope scope) {
        if (!own.containsKey(scope) && scope.wider().isPresent()) {
            return visible(scope.wider().get());
        }
        ScopedDefinitions cached = visible.get(scope);
        return cached == null ? getOrCollect(scope) : cached;
    }

    /** Synchronized, so that no update comes between reading and caching. */
    private synchronized ScopedDefinitions getOrCollect(CatalogueScope scope) {
        return visible.computeIfAbsent(scope, this::collect);
    }

    private ScopedDefinitions collect(CatalogueScope scope) {
        return ScopedDefinitions.of(
                scope.widestFirst().stream()
                        .map(wide -> own.getOrDefault(wide, Map.of()))
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
