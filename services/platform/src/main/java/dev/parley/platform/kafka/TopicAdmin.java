package dev.parley.platform.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates missing topics, and reports those that differ from the catalogue. */
public final class TopicAdmin {
    private static final long TIMEOUT_SECONDS = 30;
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Minimum for {@code outcomes}: each instance that waits for outcomes owns a partition. */
    private static final int MIN_OUTCOME_PARTITIONS = 8;

    private final Admin admin;
    private final int partitions;
    private final short replicas;

    /**
     * @param partitions number for each topic, at least eight for {@code outcomes}; it must not change later
     * @param replicas replication factor
     */
    public TopicAdmin(Admin admin, int partitions, short replicas) {
        this.admin = admin;
        this.partitions = partitions;
        this.replicas = replicas;
    }

    /**
     * Creates missing topics.
     *
     * @return names of the created topics
     * @throws IllegalStateException if the brokers do not answer or refuse
     */
    public List<String> createMissing() {
        return createMissing(Topics.all());
    }

    /**
     * Creates missing topics among these.
     *
     * @return names of the created topics
     * @throws IllegalStateException if the brokers do not answer or refuse
     */
    public List<String> createMissing(List<? extends Topic<?>> topics) {
        Set<String> present = names();
        var missing =
                topics.stream().filter(topic -> !present.contains(topic.name())).toList();
        for (Topic<?> topic : missing) {
            create(topic);
        }
        List<String> created = missing.stream().map(Topic::name).toList();
        awaitLeaders(created);
        return created;
    }

    /** Differences between existing and required topics, a sentence each. */
    public List<String> differences() {
        List<String> names = Topics.all().stream().map(Topic::name).toList();
        Map<ConfigResource, Config> configs = answer(
                admin.describeConfigs(names.stream().map(TopicAdmin::resource).toList())
                        .all());
        Map<String, TopicDescription> descriptions =
                answer(admin.describeTopics(names).allTopicNames());
        var found = new ArrayList<String>();
        for (Topic<?> topic : Topics.all()) {
            found.addAll(configDifferences(topic, Objects.requireNonNull(configs.get(resource(topic.name())))));
            int count = Objects.requireNonNull(descriptions.get(topic.name()))
                    .partitions()
                    .size();
            if (count != partitions(topic)) {
                found.add("%s: has %d partitions; %d are set. The number of partitions cannot be changed"
                        .formatted(topic, count, partitions(topic)));
            }
        }
        return found;
    }

    /** Number of partitions of an existing topic. */
    public int partitionCount(Topic<?> topic) {
        Map<String, TopicDescription> description =
                answer(admin.describeTopics(List.of(topic.name())).allTopicNames());
        return Objects.requireNonNull(description.get(topic.name()))
                .partitions()
                .size();
    }

    /** Names of all existing topics. */
    public Set<String> names() {
        return answer(admin.listTopics().names());
    }

    /** The required configuration of a topic. */
    public static Map<String, String> configs(Topic<?> topic) {
        var configs = new HashMap<String, String>();
        configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(topic.maxBytes() + (1 << 20)));
        configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, topic.cleanup() == Topic.Cleanup.COMPACT ? "compact" : "delete");
        configs.put(
                TopicConfig.RETENTION_MS_CONFIG,
                topic.retention() == null
                        ? "-1"
                        : Long.toString(topic.retention().toMillis()));
        if (topic.cleanup() == Topic.Cleanup.COMPACT) {
            configs.put(TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, Long.toString(Topic.COMPACTED_WITHIN.toMillis()));
            configs.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(Topic.TOMBSTONES_KEPT.toMillis()));
        }
        if (topic.retention() != null && topic.retention().toHours() <= 1) {
            configs.put(
                    TopicConfig.SEGMENT_MS_CONFIG,
                    Long.toString(topic.retention().toMillis() / 4));
        }
        return configs;
    }

    private void create(Topic<?> topic) {
        var newTopic = new NewTopic(topic.name(), partitions(topic), replicas).configs(configs(topic));
        try {
            answer(admin.createTopics(List.of(newTopic)).all());
        } catch (IllegalStateException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("topic " + topic + " could not be created: " + e.getMessage(), e);
            }
        }
    }

    /** A record for a partition without a leader may wait for the whole timeout of its producer (KAFKA-15591). */
    private void awaitLeaders(List<String> topics) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!haveLeaders(topics)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "some of the topics %s have no leader after %d s".formatted(topics, TIMEOUT_SECONDS));
            }
            LockSupport.parkNanos(POLL_INTERVAL_NANOS);
        }
    }

    private boolean haveLeaders(List<String> topics) {
        try {
            return answer(admin.describeTopics(topics).allTopicNames()).values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(partition ->
                            partition.leader() != null && !partition.leader().isEmpty());
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    private static List<String> configDifferences(Topic<?> topic, Config actual) {
        var found = new ArrayList<String>();
        configs(topic).forEach((key, value) -> {
            String actualValue = actual.get(key).value();
            if (!value.equals(actualValue)) {
                found.add("%s: %s is %s, but must be %s".formatted(topic, key, actualValue, value));
            }
        });
        return found;
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private int partitions(Topic<?> topic) {
        return topic == Topics.OUTCOMES ? Math.max(partitions, MIN_OUTCOME_PARTITIONS) : partitions;
    }

    private static Throwable cause(ExecutionException e) {
        return Objects.requireNonNullElse(e.getCause(), e);
    }

    private static <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not answer: " + cause(e).getMessage(), cause(e));
        } catch (TimeoutException e) {
            throw new IllegalStateException("Kafka did not answer within " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking Kafka", e);
        }
    }
}
