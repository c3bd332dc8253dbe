package dev.parley.platform.definitions;

import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.Definition;
import dev.parley.domain.turn.Definitions;
import dev.parley.domain.turn.ToolSpec;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicFollower;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Follows {@code definitions}: all of it is in memory before {@link #start} returns, changes within a second. */
public final class KafkaDefinitions implements Definitions, Service {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration START = Duration.ofSeconds(30);
    private static final int OLD_VERSIONS = 1_000;

    private final TopicFollower<Definition> follower;
    private final ConcurrentMap<String, Definition> current = new ConcurrentHashMap<>();
    /** Versions that turns may still be pinned to, by name and version. */
    private final ConcurrentMap<String, Agent> versions = new ConcurrentHashMap<>();

    private volatile Map<String, Definition> all = Map.of();
    private volatile List<Agent> agents = List.of();
    private volatile List<ToolSpec> tools = List.of();

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
        if (definition == null) {
            current.remove(key);
        } else {
            current.put(definition.key(), definition);
            if (definition instanceof Agent agent && versions.size() < OLD_VERSIONS) {
                versions.put(agent.name() + "@" + agent.version(), agent);
            }
        }
        refresh();
    }

    private synchronized void refresh() {
        var sorted = new TreeMap<>(current).values();
        agents = sorted.stream()
                .filter(Agent.class::isInstance)
                .map(Agent.class::cast)
                .toList();
        tools = sorted.stream()
                .filter(ToolSpec.class::isInstance)
                .map(ToolSpec.class::cast)
                .toList();
        all = Map.copyOf(current);
        notifyAll();
    }

    /** What stands on {@code definitions} now, by key. */
    Map<String, Definition> all() {
        return all;
    }

    /** Waits until these keys are known here. @throws IllegalStateException when they do not come */
    synchronized void await(Set<String> keys) {
        Instant until = Instant.now().plus(START);
        try {
            while (!all.keySet().containsAll(keys)) {
                if (Instant.now().isAfter(until)) {
                    throw new IllegalStateException(keys + " did not appear on the topic definitions");
                }
                wait(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for definitions", e);
        }
    }

    @Override
    public List<Agent> agents() {
        return agents;
    }

    @Override
    public List<ToolSpec> tools() {
        return tools;
    }

    @Override
    public Optional<Agent> agent(String name) {
        return Optional.ofNullable((Agent) current.get("agent/" + name));
    }

    @Override
    public Optional<Agent> agent(String name, String version) {
        return Optional.ofNullable(versions.get(name + "@" + version)).or(() -> agent(name));
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
