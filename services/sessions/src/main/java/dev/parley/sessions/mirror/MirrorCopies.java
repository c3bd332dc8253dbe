package dev.parley.sessions.mirror;

import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.JsonTopics;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topic.Cleanup;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes mirrors with one consumer and one transactional producer. Records and the offsets of their sources are
 * committed in one transaction, which fails where a partition was lost.
 *
 * <p>The mirror of a compacted topic equals its source. When its settings change, or it paused for longer than
 * tombstones are kept, all its keys get tombstones and the source is reread from the beginning. A mirror that is not
 * configured any more stays empty. Mirrors of other topics resume from their offsets.
 */
final class MirrorCopies implements ConsumerRebalanceListener {
    private static final Duration POLL = Duration.ofMillis(500);

    /** How often an offset is committed without records, to show that the mirror is up to date. */
    private static final Duration COMMIT_INTERVAL = Duration.ofHours(1);

    private final KafkaClients clients;
    private final Consumer<byte[], byte[]> reading;
    private final Producer<byte[], byte[]> producer;
    private final Mirroring mirroring;
    private final Map<String, JsonTopic> wanted;
    private final BiConsumer<String, Integer> written;
    /** Assigned partitions without a position yet. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    private Instant signed = Instant.now();

    /**
     * @param sources the topics that are read: mirrored ones, and those whose mirrors must be emptied
     * @param written receives the number of mirrored records by topic
     */
    MirrorCopies(
            KafkaClients clients,
            Consumer<byte[], byte[]> reading,
            Producer<byte[], byte[]> producer,
            Mirroring mirroring,
            List<JsonTopic> wanted,
            Set<String> sources,
            BiConsumer<String, Integer> written) {
        this.clients = clients;
        this.reading = reading;
        this.producer = producer;
        this.mirroring = mirroring;
        this.wanted =
                wanted.stream().collect(Collectors.toMap(topic -> topic.source().name(), topic -> topic));
        this.written = written;
        reading.subscribe(sources, this);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        reading.pause(assigned);
        unplaced.addAll(assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        unplaced.removeAll(revoked);
    }

    /** Mirrors the next records, waiting at most half a second for them. */
    void step() {
        place();
        ConsumerRecords<byte[], byte[]> records = reading.poll(POLL);
        var mirrored = new ArrayList<ProducerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            JsonTopic topic = wanted.get(record.topic());
            if (topic != null) {
                mirroring.of(topic, record).ifPresent(mirrored::add);
            }
        }
        Map<TopicPartition, Long> next = new HashMap<>();
        records.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
        commit(mirrored, next, false);
        commitIfIdle();
    }

    // ---- where to begin

    private void place() {
        if (unplaced.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = reading.committed(Set.copyOf(unplaced));
        Set<TopicPartition> anew = new HashSet<>();
        for (TopicPartition partition : unplaced) {
            OffsetAndMetadata left = committed.get(partition);
            if (left != null && canResume(partition, left)) {
                reading.seek(partition, left.offset());
            } else {
                reading.seekToBeginning(Set.of(partition));
                anew.add(partition);
            }
        }
        unplaced.clear();
        anew.removeIf(partition -> !isCompacted(partition));
        empty(anew);
        Set<TopicPartition> placed = placed();
        commit(List.of(), positions(anew, placed::contains), false);
        placed.removeIf(partition -> !wanted.containsKey(partition.topic()));
        reading.resume(placed);
    }

    private boolean canResume(TopicPartition partition, OffsetAndMetadata left) {
        MirrorCheckpoint mark = MirrorCheckpoint.parse(left.metadata());
        return !isCompacted(partition)
                || (mark != null
                        && mark.canResume(MirrorCheckpoint.digest(wanted.get(partition.topic())), Instant.now()));
    }

    private static boolean isCompacted(TopicPartition partition) {
        return source(partition).cleanup() == Cleanup.COMPACT;
    }

    private static Topic<?> source(TopicPartition partition) {
        return Topics.find(partition.topic()).orElseThrow();
    }

    private Set<TopicPartition> placed() {
        Set<TopicPartition> placed = new HashSet<>(reading.assignment());
        placed.removeAll(unplaced);
        return placed;
    }

    private Map<TopicPartition, Long> positions(Set<TopicPartition> of, Predicate<TopicPartition> which) {
        return of.stream().filter(which).collect(Collectors.toMap(partition -> partition, reading::position));
    }

    // ---- mirrors that are not to hold what they hold

    /** Writes tombstones for all keys in the mirrors of these partitions. */
    private void empty(Set<TopicPartition> of) {
        if (of.isEmpty()) {
            return;
        }
        reading.pause(reading.assignment());
        Map<TopicPartition, TopicPartition> sources = of.stream()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(
                                JsonTopics.of(source(partition)).name(), partition.partition()),
                        partition -> partition));
        try (Consumer<byte[], byte[]> mirrors = clients.consumer("json-mirror-emptying", null, JsonMirror.FETCHING)) {
            mirrors.assign(sources.keySet());
            mirrors.seekToBeginning(sources.keySet());
            Map<TopicPartition, Long> ends = mirrors.endOffsets(sources.keySet());
            while (ends.entrySet().stream().anyMatch(end -> mirrors.position(end.getKey()) < end.getValue())) {
                empty(mirrors.poll(POLL), sources);
                reading.poll(Duration.ZERO); // keeps its place in the group: all is paused, so nothing comes
            }
        }
    }

    private void empty(ConsumerRecords<byte[], byte[]> records, Map<TopicPartition, TopicPartition> sources) {
        Set<TopicPartition> placed = placed();
        var tombstones = new ArrayList<ProducerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            var mirror = new TopicPartition(record.topic(), record.partition());
            if (record.value() != null && record.key() != null && placed.contains(sources.get(mirror))) {
                tombstones.add(new ProducerRecord<>(record.topic(), record.partition(), record.key(), null));
            }
        }
        if (!tombstones.isEmpty()) {
            commit(tombstones, positions(Set.copyOf(sources.values()), placed::contains), true);
        }
    }

    // ---- transactions

    private void commit(
            List<ProducerRecord<byte[], byte[]>> records, Map<TopicPartition, Long> next, boolean emptying) {
        if (next.isEmpty()) {
            return;
        }
        Instant now = Instant.now();
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        next.forEach((partition, offset) -> {
            String digest =
                    emptying ? MirrorCheckpoint.CHANGING : MirrorCheckpoint.digest(wanted.get(partition.topic()));
            offsets.put(partition, new OffsetAndMetadata(offset, new MirrorCheckpoint(digest, now).toString()));
        });
        producer.beginTransaction();
        for (var record : records) {
            var _ = producer.send(record);
        }
        producer.sendOffsetsToTransaction(offsets, reading.groupMetadata());
        producer.commitTransaction();
        count(records);
    }

    private void count(List<ProducerRecord<byte[], byte[]>> records) {
        records.stream()
                .filter(record -> !record.topic().equals(Topics.DEAD_LETTERS.name()))
                .collect(Collectors.groupingBy(ProducerRecord::topic, Collectors.summingInt(_ -> 1)))
                .forEach(written);
    }

    private void commitIfIdle() {
        if (Duration.between(signed, Instant.now()).compareTo(COMMIT_INTERVAL) >= 0) {
            signed = Instant.now();
            commit(List.of(), positions(placed(), partition -> wanted.containsKey(partition.topic())), false);
        }
    }
}
