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
import dev.parley.sessions.copies.ExactlyOnceCopies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Copies the records of projects. Each source partition has one copier, which writes all copies and tombstones of its
 * records, so copies of a key keep their order.
 *
 * <p>The committed offset of a partition carries a digest of the copied projects. When the set changes, copies of
 * removed projects get tombstones, and for new projects the partition is reread from its beginning. Existing copies are
 * skipped; after a restart in between they are written again under the same keys.
 */
final class ProjectCopies extends ExactlyOnceCopies {
    private static final List<Topic<?>> SOURCES = List.of(TURN_EVENTS, MEMORY_EVENTS, ACCESS, DEFINITIONS);

    /** Offset metadata while copies are being removed: the next process restarts the removal. */
    private static final String CHANGING = "";

    private final Map<String, Integer> partitions = new HashMap<>();
    /** By partition that is reread for new projects: the offset up to which each of the others is copied already. */
    private final Map<TopicPartition, Map<UUID, Long>> copied = new HashMap<>();

    private Set<UUID> projects;

    ProjectCopies(
            KafkaClients clients,
            Consumer<byte[], byte[]> reading,
            Producer<byte[], byte[]> producer,
            Set<UUID> projects) {
        super(clients, reading, producer);
        this.projects = new TreeSet<>(projects);
        Stream.concat(SOURCES.stream(), Stream.of(PROJECT_CHANGES))
                .forEach(topic -> partitions.put(
                        topic.name(), KafkaClients.partitions(reading, topic).size()));
        reading.subscribe(SOURCES.stream().map(Topic::name).toList(), this);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        super.onPartitionsRevoked(revoked);
        revoked.forEach(copied::remove);
    }

    /** Sets the copied projects, including their earlier events. */
    void follow(Set<UUID> now) {
        if (now.equals(projects)) {
            return;
        }
        Set<UUID> stay = new TreeSet<>(projects);
        stay.retainAll(now);
        Set<TopicPartition> placed = placedPartitions();
        placed.forEach(partition -> {
            Map<UUID, Long> copiedUntil = copied.computeIfAbsent(partition, _ -> new HashMap<>());
            copiedUntil.keySet().retainAll(stay);
            if (stay.size() < now.size()) {
                long position = reading.position(partition);
                stay.forEach(project -> copiedUntil.merge(project, position, Math::max));
                reading.seek(partition, 0);
            }
        });
        boolean fewer = stay.size() < projects.size();
        projects = new TreeSet<>(now);
        refreshPartitions(placed, fewer);
    }

    @Override
    protected boolean canResume(TopicPartition partition, OffsetAndMetadata committed) {
        return committed.metadata().equals(digest());
    }

    @Override
    protected void onPlaced(Set<TopicPartition> restarted) {
        refreshPartitions(restarted, true);
    }

    /** @param fewer whether there may be copies to remove */
    private void refreshPartitions(Set<TopicPartition> partitions, boolean fewer) {
        if (fewer && !partitions.isEmpty()) {
            removeOthers(partitions);
        }
        commit(List.of(), positions(partitions::contains));
        Set<TopicPartition> placed = placedPartitions();
        if (projects.isEmpty()) {
            reading.pause(placed); // no projects to copy, and earlier copies are removed
        } else {
            reading.resume(placed);
        }
    }

    @Override
    protected String metadata(TopicPartition partition) {
        return digest();
    }

    private String digest() {
        return Sha256.hex(projects.toString());
    }

    @Override
    protected Optional<ProducerRecord<byte[], byte[]>> copy(ConsumerRecord<byte[], byte[]> record) {
        return ProjectChanges.key(record)
                .filter(key -> isToBeCopied(key, record))
                .map(key -> ProjectChanges.copy(key, record, count(PROJECT_CHANGES.name())));
    }

    private boolean isToBeCopied(ProjectChanges.Key key, ConsumerRecord<byte[], byte[]> record) {
        Map<UUID, Long> copiedUntil =
                copied.getOrDefault(new TopicPartition(record.topic(), record.partition()), Map.of());
        return projects.contains(key.project()) && record.offset() >= copiedUntil.getOrDefault(key.project(), 0L);
    }

    /** Writes tombstones for copies from these partitions that belong to other projects. */
    private void removeOthers(Set<TopicPartition> partitions) {
        readCopies(
                "project-changes-removal",
                ChangeCopier.FETCHING,
                KafkaClients.partitions(reading, PROJECT_CHANGES),
                copies -> remove(copies, partitions));
    }

    private void remove(ConsumerRecords<byte[], byte[]> records, Set<TopicPartition> partitions) {
        Set<TopicPartition> sources = placedPartitions();
        sources.retainAll(partitions);
        var tombstones = new ArrayList<ProducerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            var key = ProjectChanges.Key.parse(RecordCodec.key(record));
            if (record.value() != null && !projects.contains(key.project()) && sources.contains(source(key))) {
                tombstones.add(RecordCodec.tombstone(PROJECT_CHANGES, record.partition(), key.toString()));
            }
        }
        if (!tombstones.isEmpty()) {
            Map<TopicPartition, Long> next = new HashMap<>();
            sources.forEach(partition -> next.put(partition, 0L));
            commit(tombstones, next, _ -> CHANGING);
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
