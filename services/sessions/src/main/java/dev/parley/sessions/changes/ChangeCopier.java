package dev.parley.sessions.changes;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.sessions.copies.TopicCopier;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;

/** Copies the events of projects that enabled it to {@code project-changes}. */
public final class ChangeCopier extends TopicCopier {
    /** Favours throughput: one transaction holds up to 0.5 s of records. */
    static final Map<String, Object> FETCHING = Map.of(
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
            1 << 20,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            500,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            8 << 20,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            2_000);

    private final KafkaClients clients;
    private final Supplier<Set<UUID>> followed;

    /**
     * @param instance unique name of this process, the same after a restart
     * @param followed supplies the ids of the projects that are copied
     */
    public ChangeCopier(KafkaClients clients, String instance, Supplier<Set<UUID>> followed) {
        super(clients, "project-changes", "parley-changes", instance, FETCHING, Map.of());
        this.clients = clients;
        this.followed = followed;
    }

    @Override
    protected Runnable copying(Consumer<byte[], byte[]> reading, Producer<byte[], byte[]> producer) {
        var copies = new ProjectCopies(clients, reading, producer, followed.get());
        return () -> {
            copies.follow(followed.get());
            copies.step();
        };
    }
}
