package dev.parley.sessions.changes;

import static dev.parley.platform.kafka.Topics.ACCESS;
import static dev.parley.platform.kafka.Topics.DEFINITIONS;
import static dev.parley.platform.kafka.Topics.MEMORY_EVENTS;
import static dev.parley.platform.kafka.Topics.PROJECT_CHANGES;
import static dev.parley.platform.kafka.Topics.TURN_EVENTS;

import dev.parley.domain.Sha256;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Copies records with one consumer and one transactional producer. Each source partition has one copier, which writes
 * all copies and tombstones of its records, so copies of a key keep their order.
 *
 * <p>The committed offset of a partition carries a digest of the copied projects. When the set changes, copies of
 * removed projects get tombstones, and for new projects the partition is reread from its beginning. Existing copies are
 * skipped; after a restart in between they are written again under the same keys.
 */
final class Copies implements ConsumerRebalanceListener {
    private static final List<Topic<?>> SOURCES = List.of(TURN_EVENTS, MEMORY_EVENTS, ACCESS, DEFINITIONS);
    private static final Duration POLL = Duration.ofMillis(500);

    /** Offset metadata while copies are being removed: whoever reads it restarts the removal. */
    private static final String CHANGING = "";

    private final KafkaClients clients;
    private final Consumer<byte[], byte[]> reading;
    private final Producer<byte[], byte[]> producer;
    private final Map<String, Integer> partitions = new HashMap<>();
    /** In partitions that are reread for new projects: up to which offset the others are copied. */
    private final Map<TopicPartition, Map<UUID, Long>> copied = new HashMap<>();
    /** Assigned partitions without a position yet. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    private Set<UUID> projects;

    Copies(
            KafkaClients clients,
            Consumer<byte[], byte[]> reading,
            Producer<byte[], byte[]> producer,
            Set<UUID> projects) {
        this.clients = clients;
        this.reading = reading;
        this.producer = producer;
        this.projects = new TreeSet<>(projects);
        Stream.concat(SOURCES.stream(), Stream.of(PROJECT_CHANGES))
                .forEach(topic -> partitions.put(
                        topic.name(), KafkaClients.partitions(reading, topic).size()));
        reading.subscribe(SOURCES.stream().map(Topic::name).toList(), this);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        reading.pause(assigned);
        unplaced.addAll(assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        unplaced.removeAll(revoked);
        revoked.forEach(copied::remove);
    }

    // ---- which projects are copied

    /** Sets the copied projects, including their earlier events. */
    void follow(Set<UUID> now) {
        if (now.equals(projects)) {
            return;
        }
        Set<UUID> stay = new TreeSet<>(projects);
        stay.retainAll(now);
        Set<TopicPartition> placed = placed();
        placed.forEach(partition -> {
            Map<UUID, Long> until = copied.computeIfAbsent(partition, _ -> new HashMap<>());
            until.keySet().retainAll(stay);
            if (stay.size() < now.size()) {
                long here = reading.position(partition);
                stay.forEach(project -> until.merge(project, here, Math::max));
                reading.seek(partition, 0);
            }
        });
        boolean fewer = stay.size() < projects.size();
        projects = new TreeSet<>(now);
        changed(placed, fewer);
    }

    private Set<TopicPartition> placed() {
        Set<TopicPartition> placed = new HashSet<>(reading.assignment());
        placed.removeAll(unplaced);
        return placed;
    }

    /** Seeks new partitions to their committed offset, or to the beginning where other projects were copied then. */
    private void place() {
        if (unplaced.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = reading.committed(Set.copyOf(unplaced));
        Set<TopicPartition> others = new HashSet<>();
        for (TopicPartition partition : unplaced) {
            OffsetAndMetadata left = committed.get(partition);
            if (left != null && left.metadata().equals(digest())) {
                reading.seek(partition, left.offset());
            } else {
                reading.seek(partition, 0);
                others.add(partition);
            }
        }
        unplaced.clear();
        changed(others, true);
    }

    /** @param fewer whether there may be copies to remove */
    private void changed(Set<TopicPartition> of, boolean fewer) {
        if (fewer && !of.isEmpty()) {
            removeOthers(of);
        }
        Set<TopicPartition> placed = placed();
        Map<TopicPartition, Long> next = new HashMap<>();
        of.stream().filter(placed::contains).forEach(partition -> next.put(partition, reading.position(partition)));
        commit(List.of(), next, digest());
        if (projects.isEmpty()) {
            reading.pause(placed); // nothing is to be copied, and what was copied is gone
        } else {
            reading.resume(placed);
        }
    }

    private String digest() {
        return Sha256.hex(projects.toString());
    }

    // ---- copying

    /** Copies the next records, waiting at most half a second for them. */
    void step() {
        place();
        ConsumerRecords<byte[], byte[]> records = reading.poll(POLL);
        var copies = new ArrayList<ProducerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            ProjectChanges.key(record)
                    .filter(key -> isToBeCopied(key, record))
                    .map(key -> ProjectChanges.copy(key, record, count(PROJECT_CHANGES.name())))
                    .ifPresent(copies::add);
        }
        Map<TopicPartition, Long> next = new HashMap<>();
        records.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
        commit(copies, next, digest());
    }

    private boolean isToBeCopied(ProjectChanges.Key key, ConsumerRecord<byte[], byte[]> record) {
        Map<UUID, Long> until = copied.getOrDefault(new TopicPartition(record.topic(), record.partition()), Map.of());
        return projects.contains(key.project()) && record.offset() >= until.getOrDefault(key.project(), 0L);
    }

    /** Fails where a partition was lost meanwhile. */
    private void commit(List<ProducerRecord<byte[], byte[]>> records, Map<TopicPartition, Long> next, String metadata) {
        if (next.isEmpty()) {
            return;
        }
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        next.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset, metadata)));
        producer.beginTransaction();
        for (var record : records) {
            var _ = producer.send(record);
        }
        producer.sendOffsetsToTransaction(offsets, reading.groupMetadata());
        producer.commitTransaction();
    }

    // ---- copies of projects that are copied no longer

    /** Writes tombstones for copies from these partitions that belong to other projects. */
    private void removeOthers(Set<TopicPartition> of) {
        reading.pause(reading.assignment());
        try (Consumer<byte[], byte[]> copies =
                clients.consumer("project-changes-removal", null, ChangeCopier.FETCHING)) {
            List<TopicPartition> all = KafkaClients.partitions(copies, PROJECT_CHANGES);
            copies.assign(all);
            copies.seekToBeginning(all);
            Map<TopicPartition, Long> ends = copies.endOffsets(all);
            while (ends.entrySet().stream().anyMatch(end -> copies.position(end.getKey()) < end.getValue())) {
                remove(copies.poll(POLL), of);
                reading.poll(Duration.ZERO); // keeps its place in the group: all is paused, so nothing comes
            }
        }
    }

    private void remove(ConsumerRecords<byte[], byte[]> records, Set<TopicPartition> of) {
        Set<TopicPartition> mine = placed();
        mine.retainAll(of);
        var tombstones = new ArrayList<ProducerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            var key = ProjectChanges.Key.parse(RecordCodec.key(record));
            if (record.value() != null && !projects.contains(key.project()) && mine.contains(source(key))) {
                tombstones.add(RecordCodec.tombstone(PROJECT_CHANGES, record.partition(), key.toString()));
            }
        }
        if (!tombstones.isEmpty()) {
            Map<TopicPartition, Long> next = new HashMap<>();
            mine.forEach(partition -> next.put(partition, 0L));
            commit(tombstones, next, CHANGING);
        }
    }

    private TopicPartition source(ProjectChanges.Key key) {
        String topic = key.sourceTopic();
        return new TopicPartition(topic, ProjectChanges.partition(key.sourcePartitionKey(), count(topic)));
    }

    private int count(String topic) {
        return Objects.requireNonNull(partitions.get(topic));
    }
}
