package dev.parley.platform.kafka;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the end offsets of a topic, including open transactions: a caller may know of a transaction before all its
 * partitions have its commit marker.
 */
public final class TopicEnds implements AutoCloseable {
    private final Admin admin;
    private final Topic<?> topic;
    private final Duration timeout;
    private volatile List<TopicPartition> partitions = List.of();

    /** @param timeout of each request to the brokers */
    public TopicEnds(KafkaClients clients, Topic<?> topic, Duration timeout) {
        this.admin = clients.admin("ends-of-" + topic.name());
        this.topic = topic;
        this.timeout = timeout;
    }

    /** Name of the topic. */
    public String topic() {
        return topic.name();
    }

    /**
     * The end offsets by partition.
     *
     * @throws IllegalStateException if the brokers do not answer in time
     */
    public Map<Integer, Long> now() {
        if (partitions.isEmpty()) {
            partitions = partitions();
        }
        var latest = partitions.stream().collect(toMap(partition -> partition, _ -> OffsetSpec.latest()));
        var options = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs((int) timeout.toMillis());
        return answer(admin.listOffsets(latest, options).all()).entrySet().stream()
                .collect(toMap(
                        end -> end.getKey().partition(), end -> end.getValue().offset()));
    }

    private List<TopicPartition> partitions() {
        var described = answer(admin.describeTopics(List.of(topic.name())).allTopicNames());
        return described.values().stream()
                .flatMap(description -> description.partitions().stream())
                .map(partition -> new TopicPartition(topic.name(), partition.partition()))
                .toList();
    }

    private <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the brokers do not tell where " + topic + " ends", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
