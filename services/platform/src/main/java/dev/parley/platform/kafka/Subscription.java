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
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private final KafkaClients clients;
    private final Topic<V> topic;
    private final String group;
    private final Predicate<String> types;
    private final Taker<V> taker;
    private final ConsumerThread thread = new ConsumerThread();
    private volatile @Nullable String problem;
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();

    /** Takes a record; what it throws means that it has not. */
    @FunctionalInterface
    public interface Taker<V> {
        void take(V value);
    }

    /** @param group names what is done with the records, for ever */
    public Subscription(KafkaClients clients, Topic<V> topic, String group, Taker<V> taker) {
        this(clients, topic, group, _ -> true, taker);
    }

    /** @param types which records are taken, by their {@code ce_type}: the others are not even read */
    public Subscription(KafkaClients clients, Topic<V> topic, String group, Predicate<String> types, Taker<V> taker) {
        this.types = types;
        this.clients = clients;
        this.topic = topic;
        this.group = group;
        this.taker = taker;
    }

    @Override
    public String name() {
        return group;
    }

    @Override
    public void start() {
        thread.start(group, clients.consumer(group, group, Map.of()), this::run, this::ended);
    }

    private void run(Consumer<byte[], byte[]> taking) {
        taking.subscribe(List.of(topic.name()));
        while (!thread.isStopped()) {
            step(taking);
        }
    }

    private void ended(Throwable e) {
        problem = "records of " + topic + " are not taken any more; the log says why";
        LOG.atError().setCause(e).log("subscription to {} by {} stopped", topic, group);
    }

    private void step(Consumer<byte[], byte[]> taking) {
        ConsumerRecords<byte[], byte[]> records = taking.poll(POLL);
        for (TopicPartition partition : records.partitions()) {
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                try {
                    take(record);
                    problem = null;
                } catch (RuntimeException e) {
                    failed(taking, partition, record.offset(), e);
                    break;
                }
            }
        }
        try {
            commit(taking);
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) { // they come again, which changes nothing
            LOG.atDebug().setCause(e).log("offsets of {} could not be committed", group);
        }
    }

    /** Where nothing came there is nothing to commit: each commit is a record that the brokers write. */
    private void commit(Consumer<byte[], byte[]> taking) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        taking.assignment()
                .forEach(partition -> positions.put(partition, new OffsetAndMetadata(taking.position(partition))));
        if (!positions.equals(committed)) {
            taking.commitSync(positions);
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
            LOG.atError().setCause(e).log("unreadable record of {} skipped by {}", topic, group);
            return;
        }
        if (value != null) {
            taker.take(value);
        }
    }

    private void failed(Consumer<byte[], byte[]> taking, TopicPartition partition, long offset, RuntimeException e) {
        if (problem == null) {
            LOG.atWarn().setCause(e).log("{} failed on a record of {}; retrying", group, topic);
        }
        problem = "cannot take a record of " + topic + ": " + e.getMessage();
        taking.seek(partition, offset);
        LockSupport.parkNanos(RETRY_DELAY.toNanos());
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    @Override
    public void close() {
        thread.close(ConsumerThread.PATIENCE);
    }
}
