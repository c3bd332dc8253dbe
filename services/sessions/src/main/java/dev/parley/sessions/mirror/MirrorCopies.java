package dev.parley.sessions.mirror;

import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.JsonTopics;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topic.Cleanup;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.mirror.Mirroring;
import dev.parley.sessions.copies.ExactlyOnceCopies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes the JSON mirrors of topics.
 *
 * <p>The mirror of a compacted topic equals its source. When its settings change, or it paused for longer than
 * tombstones are kept, all its keys get tombstones and the source is reread from the beginning. A mirror that is no
 * longer configured stays empty. Mirrors of other topics resume from their offsets.
 */
final class MirrorCopies extends ExactlyOnceCopies {
    /** Interval of offset commits without records, which show that the mirror is up to date. */
    private static final Duration COMMIT_INTERVAL = Duration.ofHours(1);

    private final Mirroring mirroring;
    private final Map<String, JsonTopic> topics;
    private final BiConsumer<String, Integer> counter;
    private long lastIdleCommit = System.nanoTime();

    /**
     * @param sources the topics that are read: mirrored ones, and those whose mirrors must be emptied
     * @param counter receives the number of mirrored records by topic
     */
    MirrorCopies(
            KafkaClients clients,
            Consumer<byte[], byte[]> reading,
            Producer<byte[], byte[]> producer,
            Mirroring mirroring,
            List<JsonTopic> topics,
            Set<String> sources,
            BiConsumer<String, Integer> counter) {
        super(clients, reading, producer);
        this.mirroring = mirroring;
        this.topics =
                topics.stream().collect(Collectors.toMap(topic -> topic.source().name(), topic -> topic));
        this.counter = counter;
        reading.subscribe(sources, this);
    }

    @Override
    public void step() {
        super.step();
        commitIfIdle();
    }

    @Override
    protected Optional<ProducerRecord<byte[], byte[]>> copy(ConsumerRecord<byte[], byte[]> record) {
        JsonTopic topic = topics.get(record.topic());
        return topic == null ? Optional.empty() : mirroring.of(topic, record);
    }

    @Override
    protected String metadata(TopicPartition partition) {
        return new MirrorCheckpoint(MirrorCheckpoint.digest(topics.get(partition.topic())), Instant.now()).toString();
    }

    @Override
    protected boolean canResume(TopicPartition partition, OffsetAndMetadata committed) {
        MirrorCheckpoint mark = MirrorCheckpoint.parse(committed.metadata());
        return !isCompacted(partition)
                || (mark != null
                        && mark.canResume(MirrorCheckpoint.digest(topics.get(partition.topic())), Instant.now()));
    }

    @Override
    protected void onPlaced(Set<TopicPartition> restarted) {
        restarted.removeIf(partition -> !isCompacted(partition));
        empty(restarted);
        commit(List.of(), positions(restarted::contains));
        Set<TopicPartition> placed = placedPartitions();
        placed.removeIf(partition -> !topics.containsKey(partition.topic()));
        reading.resume(placed);
    }

    private static boolean isCompacted(TopicPartition partition) {
        return source(partition).cleanup() == Cleanup.COMPACT;
    }

    private static Topic<?> source(TopicPartition partition) {
        return Topics.find(partition.topic()).orElseThrow();
    }

    /** Writes tombstones for all keys in the mirrors of these partitions. */
    private void empty(Set<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        Map<TopicPartition, TopicPartition> sources = partitions.stream()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(
                                JsonTopics.of(source(partition)).name(), partition.partition()),
                        partition -> partition));
        readCopies("json-mirror-emptying", JsonMirror.FETCHING, sources.keySet(), mirrored -> empty(mirrored, sources));
    }

    private void empty(ConsumerRecords<byte[], byte[]> records, Map<TopicPartition, TopicPartition> sources) {
        Set<TopicPartition> placed = placedPartitions();
        var tombstones = new ArrayList<ProducerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            var mirror = new TopicPartition(record.topic(), record.partition());
            if (record.value() != null && record.key() != null && placed.contains(sources.get(mirror))) {
                tombstones.add(new ProducerRecord<>(record.topic(), record.partition(), record.key(), null));
            }
        }
        if (!tombstones.isEmpty()) {
            String changing = new MirrorCheckpoint(MirrorCheckpoint.CHANGING, Instant.now()).toString();
            commit(tombstones, positions(sources::containsValue), _ -> changing);
        }
    }

    @Override
    protected void onCommitted(List<ProducerRecord<byte[], byte[]>> records) {
        records.stream()
                .filter(record -> !record.topic().equals(Topics.DEAD_LETTERS.name()))
                .collect(Collectors.groupingBy(ProducerRecord::topic, Collectors.summingInt(_ -> 1)))
                .forEach(counter);
    }

    private void commitIfIdle() {
        if (System.nanoTime() - lastIdleCommit >= COMMIT_INTERVAL.toNanos()) {
            lastIdleCommit = System.nanoTime();
            commit(List.of(), positions(partition -> topics.containsKey(partition.topic())));
        }
    }
}
