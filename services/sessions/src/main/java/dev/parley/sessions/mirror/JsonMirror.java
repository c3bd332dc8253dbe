package dev.parley.sessions.mirror;

import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.JsonTopics;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topic.Cleanup;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.service.Service;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the topics that the operator names once more as JSON, exactly once, in one thread; processes share the partitions.
 * After a failure it begins again with new clients, where it had committed.
 */
public final class JsonMirror implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(JsonMirror.class);

    /** The consumer group, and the prefix of its transactions. */
    private static final String GROUP = "parley-json";

    private static final Duration BACKOFF = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(10);
    private static final int LARGEST = 48 << 20;

    /** The records of a tenth of a second share a transaction. */
    static final Map<String, Object> FETCHING = Map.of(
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
            1 << 18,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            100,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            8 << 20,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            1_000);

    private final KafkaClients clients;
    private final List<JsonTopic> wanted;
    private final short replicas;
    private final Map<String, Object> sending;
    private final MeterRegistry registry;
    private volatile String problem = "";
    private volatile boolean stopped;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /**
     * @param instance this process's name, unique and the same after a restart
     * @param wanted what is mirrored; mirrors of compacted topics that are not among them are emptied
     * @param replicas of each partition of a mirror that is made
     */
    public JsonMirror(
            KafkaClients clients, String instance, List<JsonTopic> wanted, short replicas, MeterRegistry registry) {
        this.clients = clients;
        this.wanted = List.copyOf(wanted);
        this.replicas = replicas;
        this.registry = registry;
        this.sending = Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                GROUP + "-" + instance,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                10_000,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                LARGEST,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                2L * LARGEST,
                ProducerConfig.LINGER_MS_CONFIG,
                20);
    }

    @Override
    public String name() {
        return GROUP;
    }

    @Override
    public void start() {
        thread = Thread.ofPlatform().name(GROUP).daemon().start(this::run);
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        stopped = true;
        Consumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            if (thread != null && !thread.join(CLOSE)) {
                LOG.warn("the mirror of topics did not stop within {} s", CLOSE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean idle = false;
        while (!stopped && !idle) {
            try {
                Set<String> sources = sources();
                idle = sources.isEmpty();
                if (idle) {
                    problem = "";
                } else {
                    mirror(sources);
                }
            } catch (WakeupException e) {
                // close() asked for it
            } catch (RuntimeException e) {
                problem = String.valueOf(e.getMessage());
                LOG.atWarn().setCause(e).log("mirror of topics as JSON failed; retrying");
                LockSupport.parkNanos(BACKOFF.toNanos());
            }
        }
    }

    private void mirror(Set<String> sources) {
        try (Consumer<byte[], byte[]> reading = clients.consumer(GROUP, GROUP, FETCHING);
                Producer<byte[], byte[]> producer = clients.producer(GROUP, sending)) {
            consumer = reading;
            producer.initTransactions();
            var copies = new MirrorCopies(
                    clients, reading, producer, new Mirroring(Wire.recordJson()), wanted, sources, this::count);
            while (!stopped) {
                copies.step();
                problem = "";
            }
        }
    }

    private void count(String topic, int records) {
        registry.counter("parley.json.records", "topic", topic).increment(records);
    }

    /** What is to be read: the topics that are wanted, whose mirrors are made, and those whose mirrors nobody wants any more. */
    private Set<String> sources() {
        try (var admin = clients.admin(GROUP)) {
            var topics = new TopicAdmin(admin, 1, replicas);
            for (JsonTopic topic : wanted) {
                // Record for record in the same partition: a mirror has as many as its source.
                new TopicAdmin(admin, topics.count(topic.source()), replicas)
                        .createMissing(List.of(JsonTopics.of(topic.source())));
            }
            Set<String> there = topics.names();
            Set<String> sources = JsonTopics.sources().stream()
                    .filter(topic -> topic.cleanup() == Cleanup.COMPACT
                            && there.contains(JsonTopics.of(topic).name()))
                    .map(Topic::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            wanted.forEach(topic -> sources.add(topic.source().name()));
            return sources;
        }
    }
}
