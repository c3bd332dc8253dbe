package dev.parley.sessions.copies;

import dev.parley.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
 * Copies records with one consumer and one transactional producer. Copies and the offsets of their sources are
 * committed in one transaction, which fails where a partition was lost. The metadata of an offset says how its
 * partition was copied; where that has changed, the partition is reread from its beginning.
 */
public abstract class ExactlyOnceCopies implements ConsumerRebalanceListener {
    private static final Duration POLL = Duration.ofMillis(500);

    protected final Consumer<byte[], byte[]> reading;
    private final KafkaClients clients;
    private final Producer<byte[], byte[]> producer;
    /** Assigned partitions without a position yet. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    /** @param reading reads the sources; the subclass subscribes it to them with this listener */
    protected ExactlyOnceCopies(
            KafkaClients clients, Consumer<byte[], byte[]> reading, Producer<byte[], byte[]> producer) {
        this.clients = clients;
        this.reading = reading;
        this.producer = producer;
    }

    /** The copy of a record, or empty. */
    protected abstract Optional<ProducerRecord<byte[], byte[]>> copy(ConsumerRecord<byte[], byte[]> record);

    /** The metadata of offsets that are committed now. */
    protected abstract String metadata(TopicPartition partition);

    /** Whether a partition continues from its committed offset. */
    protected abstract boolean canResume(TopicPartition partition, OffsetAndMetadata committed);

    /**
     * Assigned partitions have a position, but are paused.
     *
     * @param restarted those that are read from their beginning
     */
    protected abstract void onPlaced(Set<TopicPartition> restarted);

    /** A transaction wrote these records. */
    protected void onCommitted(List<ProducerRecord<byte[], byte[]>> records) {}

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        reading.pause(assigned);
        unplaced.addAll(assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        unplaced.removeAll(revoked);
    }

    /** Copies the next records, waiting at most half a second for them. */
    public void step() {
        seekUnplaced();
        ConsumerRecords<byte[], byte[]> records = reading.poll(POLL);
        var copies = new ArrayList<ProducerRecord<byte[], byte[]>>();
        records.forEach(record -> copy(record).ifPresent(copies::add));
        Map<TopicPartition, Long> next = new HashMap<>();
        records.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
        commit(copies, next);
    }

    private void seekUnplaced() {
        if (unplaced.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = reading.committed(Set.copyOf(unplaced));
        Set<TopicPartition> restarted = new HashSet<>();
        for (TopicPartition partition : unplaced) {
            OffsetAndMetadata offset = offsets.get(partition);
            if (offset != null && canResume(partition, offset)) {
                reading.seek(partition, offset.offset());
            } else {
                reading.seekToBeginning(Set.of(partition));
                restarted.add(partition);
            }
        }
        unplaced.clear();
        onPlaced(restarted);
    }

    /** Assigned partitions that have a position. */
    protected final Set<TopicPartition> placedPartitions() {
        Set<TopicPartition> placed = new HashSet<>(reading.assignment());
        placed.removeAll(unplaced);
        return placed;
    }

    /** The positions of placed partitions. */
    protected final Map<TopicPartition, Long> positions(Predicate<TopicPartition> filter) {
        return placedPartitions().stream()
                .filter(filter)
                .collect(Collectors.toMap(partition -> partition, reading::position));
    }

    /** Writes records and moves offsets in one transaction. Fails where a partition was lost meanwhile. */
    protected final void commit(List<ProducerRecord<byte[], byte[]>> records, Map<TopicPartition, Long> next) {
        commit(records, next, this::metadata);
    }

    /** Like {@link #commit(List, Map)}, with other metadata. */
    protected final void commit(
            List<ProducerRecord<byte[], byte[]>> records,
            Map<TopicPartition, Long> next,
            Function<TopicPartition, String> metadata) {
        if (next.isEmpty()) {
            return;
        }
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        next.forEach((partition, offset) ->
                offsets.put(partition, new OffsetAndMetadata(offset, metadata.apply(partition))));
        producer.beginTransaction();
        for (var record : records) {
            var _ = producer.send(record);
        }
        producer.sendOffsetsToTransaction(offsets, reading.groupMetadata());
        producer.commitTransaction();
        onCommitted(records);
    }

    /** Reads copies from their beginning to their current end, and pauses all sources. */
    protected final void readCopies(
            String client,
            Map<String, Object> fetching,
            Collection<TopicPartition> partitions,
            java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> action) {
        reading.pause(reading.assignment());
        try (Consumer<byte[], byte[]> copies = clients.consumer(client, null, fetching)) {
            copies.assign(partitions);
            copies.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = copies.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> copies.position(end.getKey()) < end.getValue())) {
                action.accept(copies.poll(POLL));
                reading.poll(Duration.ZERO); // stays in the consumer group; without records, as all is paused
            }
        }
    }
}
