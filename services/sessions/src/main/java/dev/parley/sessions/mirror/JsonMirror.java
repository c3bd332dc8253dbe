package dev.parley.sessions.mirror;

import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.JsonTopics;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topic.Cleanup;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.mirror.Mirroring;
import dev.parley.sessions.copies.TopicCopier;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Mirrors the configured topics as JSON topics. */
public final class JsonMirror extends TopicCopier {
    /** The consumer group, and the prefix of the transactional id. */
    private static final String GROUP = "parley-json";

    private static final int MAX_REQUEST_BYTES = 48 << 20;

    /** One transaction holds up to 0.1 s of records. */
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
    private final List<JsonTopic> mirrored;
    private final short replicas;
    private final MeterRegistry registry;
    private Set<String> sources = Set.of();

    /**
     * @param instance unique name of this process, the same after a restart
     * @param mirrored the mirrored topics; mirrors of other compacted topics are emptied
     * @param replicas replication factor of new mirror topics
     */
    public JsonMirror(
            KafkaClients clients, String instance, List<JsonTopic> mirrored, short replicas, MeterRegistry registry) {
        super(
                clients,
                GROUP,
                GROUP,
                instance,
                FETCHING,
                Map.of(
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        MAX_REQUEST_BYTES,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        2L * MAX_REQUEST_BYTES));
        this.clients = clients;
        this.mirrored = List.copyOf(mirrored);
        this.replicas = replicas;
        this.registry = registry;
    }

    @Override
    protected boolean isNeeded() {
        sources = sources();
        return !sources.isEmpty();
    }

    @Override
    protected Runnable copying(Consumer<byte[], byte[]> reading, Producer<byte[], byte[]> producer) {
        return new MirrorCopies(
                        clients,
                        reading,
                        producer,
                        new Mirroring(RecordCodec.recordJson()),
                        mirrored,
                        sources,
                        this::count)::step;
    }

    private void count(String topic, int records) {
        registry.counter("parley.json.records", "topic", topic).increment(records);
    }

    /**
     * Source topics: those that are mirrored, whose mirrors are created where missing, and those whose mirrors must be
     * emptied.
     */
    private Set<String> sources() {
        try (var admin = clients.admin(GROUP)) {
            var topics = new TopicAdmin(admin, 1, replicas);
            for (JsonTopic topic : mirrored) {
                // Record for record in the same partition: a mirror has as many as its source.
                new TopicAdmin(admin, topics.partitionCount(topic.source()), replicas)
                        .createMissing(List.of(JsonTopics.of(topic.source())));
            }
            Set<String> existing = topics.names();
            Set<String> sources = Topics.all().stream()
                    .filter(topic -> topic.cleanup() == Cleanup.COMPACT
                            && existing.contains(JsonTopics.of(topic).name()))
                    .map(Topic::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            mirrored.forEach(topic -> sources.add(topic.source().name()));
            return sources;
        }
    }
}
