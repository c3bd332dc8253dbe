package dev.parley.server;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.sessions.changes.ProjectChanges;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A copy of one project, held by somebody who only reads {@code project-changes}, as docs/topics.md says. */
final class Replica implements AutoCloseable {
    private final String prefix;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<String, ConsumerRecord<byte[], byte[]>> newest = new HashMap<>();

    Replica(KafkaClients clients, UUID project) {
        prefix = project + "/";
        consumer = clients.consumer("replica", null, Map.of());
        int partitions =
                KafkaClients.partitions(consumer, Topics.PROJECT_CHANGES).size();
        var partition =
                new TopicPartition(Topics.PROJECT_CHANGES.name(), ProjectChanges.partition(project, partitions));
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    /** Takes what has come. */
    void follow() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
            String key = RecordCodec.key(record);
            if (key.startsWith(prefix)) {
                if (record.value() == null) {
                    newest.remove(key.substring(prefix.length()));
                } else {
                    newest.put(key.substring(prefix.length()), record);
                }
            }
        }
    }

    /** What happened, by {@code {session key}#{seq}}. */
    Map<String, TurnEvent> events() {
        var events = new TreeMap<String, TurnEvent>();
        newest.forEach((key, record) -> {
            if (key.contains("#") && !key.startsWith("bank:")) {
                events.put(key, RecordCodec.read(Topics.TURN_EVENTS, record));
            }
        });
        return events;
    }

    /** What banks know, by {@code bank:{id}#{seq}}. */
    Map<String, MemoryEvent> memories() {
        var events = new TreeMap<String, MemoryEvent>();
        newest.forEach((key, record) -> {
            if (key.startsWith("bank:")) {
                events.put(key, RecordCodec.read(Topics.MEMORY_EVENTS, record));
            }
        });
        return events;
    }

    /** Kinds and names of what the project has defined. */
    Set<String> definitions() {
        var definitions = new TreeSet<String>();
        for (String key : newest.keySet()) {
            if (key.startsWith("definition/")) {
                String[] parts = key.split("/", 4);
                definitions.add(parts[1] + " " + parts[3]);
            }
        }
        return definitions;
    }

    /** What the project is called, or nothing. */
    String name() {
        var record = newest.get("project");
        return record == null ? "" : ((AccessRecord.Project) RecordCodec.read(Topics.ACCESS, record)).name();
    }

    /** Ids of those who are in it. */
    Set<String> members() {
        var members = new TreeSet<String>();
        for (String key : newest.keySet()) {
            if (key.startsWith("member/")) {
                members.add(key.substring("member/".length()));
            }
        }
        return members;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
