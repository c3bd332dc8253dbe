package dev.parley.platform.definitions;

import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.Definition;
import dev.parley.domain.turn.Definitions;
import dev.parley.domain.turn.ToolSpec;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows {@code definitions}: all of it is in memory before {@link #start} returns, changes within a second. */
public final class KafkaDefinitions implements Definitions, Service {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaDefinitions.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long START_SECONDS = 30;
    private static final int OLD_VERSIONS = 1_000;

    private final KafkaClients clients;
    private final ConcurrentMap<String, Definition> current = new ConcurrentHashMap<>();
    /** Versions that turns may still be pinned to, by name and version. */
    private final ConcurrentMap<String, Agent> versions = new ConcurrentHashMap<>();

    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private volatile Map<String, Definition> all = Map.of();
    private volatile List<Agent> agents = List.of();
    private volatile List<ToolSpec> tools = List.of();
    private volatile boolean stopped;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    public KafkaDefinitions(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "definitions";
    }

    @Override
    public void start() {
        var following = clients.consumer("definitions", null, Map.of());
        consumer = following;
        thread = Thread.ofPlatform().name("definitions").daemon().start(() -> follow(following));
        try {
            if (!caughtUp.await(START_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "the topic definitions could not be read within " + START_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading definitions", e);
        }
    }

    private void follow(Consumer<byte[], byte[]> following) {
        try (following) {
            List<TopicPartition> partitions = KafkaClients.partitions(following, Topics.DEFINITIONS);
            following.assign(partitions);
            following.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = following.endOffsets(partitions);
            while (!stopped) {
                following.poll(POLL).forEach(this::take);
                if (caughtUp.getCount() > 0
                        && ends.entrySet().stream()
                                .allMatch(end -> following.position(end.getKey()) >= end.getValue())) {
                    caughtUp.countDown();
                }
            }
        } catch (WakeupException e) {
            // close() asked for it
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("definitions are not followed any more");
            stopped = true;
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.value() == null) {
                current.remove(Wire.key(record));
            } else {
                put(Wire.read(Topics.DEFINITIONS, record));
            }
            refresh();
        } catch (SerializationException e) {
            LOG.atWarn()
                    .addKeyValue("key", Wire.key(record))
                    .setCause(e)
                    .log("an unreadable definition is passed over");
        }
    }

    private void put(Definition definition) {
        current.put(definition.key(), definition);
        if (definition instanceof Agent agent && versions.size() < OLD_VERSIONS) {
            versions.put(agent.name() + "@" + agent.version(), agent);
        }
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
        Instant until = Instant.now().plusSeconds(START_SECONDS);
        try {
            while (!all.keySet().containsAll(keys)) {
                if (Instant.now().isAfter(until)) {
                    throw new IllegalStateException(keys + " did not appear on the topic definitions");
                }
                wait(POLL.toMillis());
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
        return stopped || caughtUp.getCount() > 0 ? Optional.of("not followed") : Optional.empty();
    }

    @Override
    public void close() {
        stopped = true;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (thread != null) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
