package dev.parley.platform.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Creates Kafka clients: idempotent producers with acks=all, and read-committed consumers. Records are bytes;
 * {@link RecordCodec} encodes and decodes them.
 *
 * @param bootstrap addresses of the brokers, {@code host:port[,host:port]}
 * @param security additional client settings, such as TLS and SASL
 * @param instance name of this process, the same after a restart, or null. A named process is a static member of its
 *     consumer groups and gets its partitions back at once
 * @param signatures signs what its producers send, and verifies what its consumers read; null for brokers of others,
 *     and for tools that show what topics hold
 */
public record KafkaClients(
        String bootstrap,
        Map<String, String> security,
        @Nullable String instance,
        @Nullable RecordSignatures signatures) {
    /**
     * How long a fetch of a consumer that follows a topic waits for a record, which ends it. Not for consumers that read
     * from here and there, or ask where partitions end: what they do next waits for the pending fetch.
     */
    public static final int FOLLOWING_WAIT_MILLIS = 1_000;

    private static final int MAX_REQUEST = 10 << 20;
    private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RETRY_DELAY = Duration.ofMillis(100);

    public KafkaClients {
        security = Map.copyOf(security);
    }

    /** Clients that sign nothing and believe everything, of a broker without authentication. */
    public static KafkaClients of(String bootstrap) {
        return of(bootstrap, Map.of());
    }

    /** Clients that sign nothing and believe everything, with additional settings. */
    public static KafkaClients of(String bootstrap, Map<String, String> security) {
        return new KafkaClients(bootstrap, security, null, null);
    }

    /** Clients that sign and verify. */
    public KafkaClients signing(RecordSignatures with) {
        return new KafkaClients(bootstrap, security, instance, with);
    }

    /** Clients that send records with the signatures that they have, and read all records. */
    public KafkaClients withoutSignatures() {
        return new KafkaClients(bootstrap, security, instance, null);
    }

    /** The clients of a named process. */
    public KafkaClients forProcess(String process) {
        return new KafkaClients(bootstrap, security, process, signatures);
    }

    /** Settings of all clients. */
    public Map<String, Object> common(String clientId) {
        var settings = new HashMap<String, Object>(security);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 50);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        return settings;
    }

    /** An idempotent producer that waits for all replicas. */
    public Producer<byte[], byte[]> producer(String clientId) {
        return producer(clientId, Map.of());
    }

    /** An idempotent producer with additional settings. */
    public Producer<byte[], byte[]> producer(String clientId, Map<String, Object> overrides) {
        var settings = common(clientId);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        settings.putAll(overrides);
        return new SigningProducer(settings, signatures);
    }

    /**
     * A read-committed consumer without auto-commit. It closes immediately, without waiting for asynchronous commits.
     *
     * @param group its consumer group, or null if partitions are assigned to it
     */
    public Consumer<byte[], byte[]> consumer(String clientId, @Nullable String group, Map<String, Object> overrides) {
        var settings = common(clientId);
        if (group != null) {
            settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        }
        if (group != null && instance != null) {
            settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance);
        }
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, MAX_REQUEST);
        settings.putAll(overrides);
        return new PromptConsumer(settings, signatures);
    }

    /**
     * Closes immediately. Kafka's own close waits for the pending fetch, which takes half a second for each idle
     * consumer of a process that stops.
     */
    private static final class PromptConsumer extends VerifyingConsumer {
        PromptConsumer(Map<String, Object> settings, @Nullable RecordSignatures signatures) {
            super(settings, signatures);
        }

        @Override
        public void close() {
            close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /**
     * All partitions of a topic; retries, since a broker may not know a new topic yet.
     *
     * @throws TimeoutException if the topic is unknown after 10 s
     */
    public static List<TopicPartition> partitions(Consumer<?, ?> consumer, Topic<?> topic) {
        long deadline = System.nanoTime() + METADATA_TIMEOUT.toNanos();
        while (true) {
            List<TopicPartition> found = consumer.partitionsFor(topic.name()).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            if (!found.isEmpty()) {
                return found;
            }
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("the brokers do not know the topic " + topic);
            }
            LockSupport.parkNanos(RETRY_DELAY.toNanos());
        }
    }

    /** An admin client. */
    public Admin admin(String clientId) {
        return Admin.create(common(clientId));
    }
}
