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
 * Looks up the end of a topic. Records of open transactions count: a reader may learn of a transaction before the
 * brokers have marked it as committed everywhere.
 */
public final class TopicEnds implements AutoCloseable {
    private final Admin admin;
    private final Topic<?> topic;
    private final Duration patience;
    private volatile List<TopicPartition> partitions = List.of();

    /** @param patience how long each question to the brokers may take */
    public TopicEnds(KafkaClients clients, Topic<?> topic, Duration patience) {
        this.admin = clients.admin("ends-of-" + topic.name());
        this.topic = topic;
        this.patience = patience;
    }

    /** The topic's name. */
    public String topic() {
        return topic.name();
    }

    /**
     * The end of each partition, by its number.
     *
     * @throws IllegalStateException when the brokers do not tell in time
     */
    public Map<Integer, Long> now() {
        if (partitions.isEmpty()) {
            partitions = partitions();
        }
        var latest = partitions.stream().collect(toMap(partition -> partition, _ -> OffsetSpec.latest()));
        var options = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs((int) patience.toMillis());
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
            return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
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
