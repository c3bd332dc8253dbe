package dev.parley.server.audit;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Metadata of topics from the brokers: which exist, what retention has left, and the committed offsets of bots. */
final class TopicFacts implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final String BOTS = "bots";

    private final Admin admin;
    private final Set<String> names;

    /** @throws AuditException when the brokers do not answer */
    TopicFacts(KafkaClients clients) throws AuditException {
        admin = clients.admin("audit");
        try {
            names = answer(admin.listTopics(new org.apache.kafka.clients.admin.ListTopicsOptions().listInternal(true))
                    .names());
        } catch (AuditException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    boolean exists(String topic) {
        return names.contains(topic);
    }

    /** @throws AuditException when a topic is not there, or retention may have removed records after {@code from} */
    void requireAll(List<Topic<?>> topics, Instant from, Instant now) throws AuditException {
        for (Topic<?> topic : List.of(Topics.TURN_COMMANDS, Topics.TURN_EVENTS, Topics.REPLIES, Topics.DEAD_LETTERS)) {
            if (!exists(topic.name())) {
                throw new AuditException("The topic " + topic + " does not exist: has Parley run with this broker?");
            }
        }
        for (Topic<?> topic : topics) {
            requireAll(topic, from, now);
        }
    }

    private void requireAll(Topic<?> topic, Instant from, Instant now) throws AuditException {
        List<TopicPartition> partitions = partitions(topic.name());
        var earliest = offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
        var first = offsets(partitions, OffsetSpec.forTimestamp(0), IsolationLevel.READ_UNCOMMITTED);
        boolean old = isBeyondRetention(topic, from, now);
        for (TopicPartition partition : partitions) {
            long firstAt = Objects.requireNonNull(first.get(partition)).timestamp(); // -1 where there is no record
            boolean removed = Objects.requireNonNull(earliest.get(partition)).offset() > 0;
            if (removed && old && (firstAt < 0 || firstAt > from.toEpochMilli())) {
                throw new AuditException(
                        "Retention has removed records of %s that may belong to the range; the oldest left in partition %d is of %s. Begin later with --from."
                                .formatted(
                                        topic,
                                        partition.partition(),
                                        firstAt < 0 ? "no time" : Instant.ofEpochMilli(firstAt)));
            }
        }
    }

    /** A topic with retention by size may have lost recent records. */
    private boolean isBeyondRetention(Topic<?> topic, Instant from, Instant now) throws AuditException {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        Config config = Objects.requireNonNull(
                answer(admin.describeConfigs(List.of(resource)).all()).get(resource));
        long millis = Long.parseLong(config.get(TopicConfig.RETENTION_MS_CONFIG).value());
        long bytes =
                Long.parseLong(config.get(TopicConfig.RETENTION_BYTES_CONFIG).value());
        return bytes >= 0 || (millis >= 0 && from.isBefore(now.minusMillis(millis)));
    }

    /** The committed offsets of bots on replies, by partition. */
    Map<Integer, Long> deliveredOffsets() throws AuditException {
        var committed = answer(admin.listConsumerGroupOffsets(BOTS).partitionsToOffsetAndMetadata());
        var delivered = new HashMap<Integer, Long>();
        committed.forEach((partition, offset) -> {
            if (offset != null && partition.topic().equals(Topics.REPLIES.name())) {
                delivered.put(partition.partition(), offset.offset());
            }
        });
        return delivered;
    }

    /** The number of records after the last stable offset. */
    long open(Collection<String> topics) throws AuditException {
        long open = 0;
        for (String topic : topics) {
            List<TopicPartition> partitions = partitions(topic);
            var stable = offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
            var ends = offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
            for (TopicPartition partition : partitions) {
                open += Math.max(
                        0,
                        Objects.requireNonNull(ends.get(partition)).offset()
                                - Objects.requireNonNull(stable.get(partition)).offset());
            }
        }
        return open;
    }

    private List<TopicPartition> partitions(String topic) throws AuditException {
        return answer(admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
                .flatMap(description -> description.partitions().stream())
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(
            List<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) throws AuditException {
        var specs = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(partition -> specs.put(partition, spec));
        return answer(
                admin.listOffsets(specs, new ListOffsetsOptions(isolation)).all());
    }

    private static <T> T answer(KafkaFuture<T> future) throws AuditException {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AuditException(
                    "The brokers do not answer within " + TIMEOUT.toSeconds() + " s: is this the right address?", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new AuditException(
                    "The brokers do not answer: " + cause.getClass().getSimpleName() + " " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AuditException("interrupted", e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
