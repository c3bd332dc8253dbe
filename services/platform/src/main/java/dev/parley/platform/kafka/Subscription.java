package dev.parley.platform.kafka;

import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers every record of a topic to one instance of a consumer group, at least once and in order; failed records
 * are retried until they succeed. For topics with few records.
 */
public final class Subscription<V> implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    /**
     * A poll and a fetch wait as long for a record, which ends both. A retry waits no longer for a pending fetch, since
     * it pauses as long. The thread that sends heartbeats looks around at each retry backoff.
     */
    private static final Duration POLL = RETRY_DELAY;

    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) POLL.toMillis(),
            ConsumerConfig.RETRY_BACKOFF_MS_CONFIG, 1_000,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 2_000);

    private final KafkaClients clients;
    private final Topic<V> topic;
    private final String group;
    private final Predicate<String> types;
    private final Handler<V> handler;
    private final ConsumerThread thread = new ConsumerThread();
    private volatile @Nullable String problem;
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();

    /** Processes a record; after an exception it is retried. */
    @FunctionalInterface
    public interface Handler<V> {
        void handle(V value);
    }

    /** @param group the consumer group, which must not change: its offsets are stored */
    public Subscription(KafkaClients clients, Topic<V> topic, String group, Handler<V> handler) {
        this(clients, topic, group, _ -> true, handler);
    }

    /** @param types selects records by their {@code ce_type}; others are not deserialized */
    public Subscription(
            KafkaClients clients, Topic<V> topic, String group, Predicate<String> types, Handler<V> handler) {
        this.types = types;
        this.clients = clients;
        this.topic = topic;
        this.group = group;
        this.handler = handler;
    }

    @Override
    public String name() {
        return group;
    }

    @Override
    public void start() {
        thread.start(group, clients.consumer(group, group, CONSUMER), this::run, this::onStopped);
    }

    private void run(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(topic.name()));
        while (!thread.isStopped()) {
            step(consumer);
        }
    }

    private void onStopped(Throwable e) {
        problem = "records of " + topic + " are no longer processed; see the log";
        LOG.atError().setCause(e).log("subscription to {} by {} stopped", topic, group);
    }

    private void step(Consumer<byte[], byte[]> consumer) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        for (TopicPartition partition : records.partitions()) {
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                try {
                    take(record);
                    problem = null;
                } catch (RuntimeException e) {
                    onFailed(consumer, partition, record.offset(), e);
                    break;
                }
            }
        }
        try {
            commit(consumer);
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) { // records are delivered again
            LOG.atDebug().setCause(e).log("offsets of {} could not be committed", group);
        }
    }

    /** Commits only changed positions: each commit is a record that the brokers write. */
    private void commit(Consumer<byte[], byte[]> consumer) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        consumer.assignment()
                .forEach(partition -> positions.put(partition, new OffsetAndMetadata(consumer.position(partition))));
        if (!positions.equals(committed)) {
            consumer.commitSync(positions);
            committed = positions;
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        if (!RecordCodec.type(record).map(types::test).orElse(true)) {
            return;
        }
        V value;
        try {
            value = record.value() == null ? null : RecordCodec.read(topic, record);
        } catch (SerializationException e) {
            LOG.atWarn()
                    .addKeyValue("topic", record.topic())
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("cause", e.toString())
                    .log("unreadable record skipped by {}", group);
            return;
        }
        if (value != null) {
            handler.handle(value);
        }
    }

    private void onFailed(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, long offset, RuntimeException e) {
        if (problem == null) {
            LOG.atWarn().setCause(e).log("{} failed on a record of {}; retrying", group, topic);
        }
        problem = "cannot take a record of " + topic + ": " + e.getMessage();
        consumer.seek(partition, offset);
        LockSupport.parkNanos(RETRY_DELAY.toNanos());
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    @Override
    public void close() {
        thread.close(ConsumerThread.CLOSE_TIMEOUT);
    }
}
