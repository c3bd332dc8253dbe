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
 * The copies that one consumer and its producer make. Each partition of these topics has one
 * copier, which writes all copies of its records and all tombstones for them: the copies of a key are in its order.
 *
 * <p>The committed offset of a partition carries a digest of the projects that are copied. Where these change, copies of
 * those that are no longer among them get tombstones, and for new ones the partition is read from its beginning; what is
 * copied already is left out, and copied again under the same keys where a restart comes in between.
 */
final class Copies implements ConsumerRebalanceListener {
    private static final List<Topic<?>> SOURCES = List.of(TURN_EVENTS, MEMORY_EVENTS, ACCESS, DEFINITIONS);
    private static final Duration POLL = Duration.ofMillis(500);

    /** What an offset carries while copies are being removed: whoever finds it begins with the removal. */
    private static final String CHANGING = "";

    private final KafkaClients clients;
    private final Consumer<byte[], byte[]> reading;
    private final Producer<byte[], byte[]> producer;
    private final Map<String, Integer> partitions = new HashMap<>();
    /** Up to where projects are copied, in partitions that are read again for others. */
    private final Map<TopicPartition, Map<UUID, Long>> copied = new HashMap<>();
    /** Partitions that came and have not been put on their offsets since. */
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

    /** Copies these projects from now on, with all that happened in them before, and no others. */
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

    /** Puts partitions that came where they were left, or on their beginning where other projects were copied then. */
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

    /** @param fewer whether there may be copies that are to go */
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

    /** Copies the next records, if there are some within half a second. */
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

    /** Whoever has lost a partition since cannot commit. */
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

    /** Writes tombstones for the copies of records of these partitions that are about other projects. */
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
