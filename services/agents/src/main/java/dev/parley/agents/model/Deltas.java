package dev.parley.agents.model;

import dev.parley.domain.turn.TurnDelta;
import dev.parley.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/** Shows what models say, best effort: one producer and one clock for all calls of a worker. */
final class Deltas implements AutoCloseable {
    /** Waiting a little makes few large requests of many tokens; nobody sees five milliseconds. */
    private static final Map<String, Object> SETTINGS = Map.of(
            ProducerConfig.LINGER_MS_CONFIG, 5,
            ProducerConfig.MAX_BLOCK_MS_CONFIG, 500,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);

    private final Producer<byte[], byte[]> producer;
    private final ScheduledExecutorService clock;

    Deltas(KafkaClients clients, String worker) {
        producer = clients.producer(worker + "-deltas", SETTINGS);
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(worker + "-deltas").daemon().factory());
    }

    /**
     * For one attempt of one call.
     *
     * @param key the session's record key
     */
    DeltaSender sender(String key, UUID turnId, int step, int attempt, @Nullable String trace) {
        return new DeltaSender(producer, clock, key, TurnDelta.of(turnId, TurnDelta.Kind.TOKEN, step, attempt, ""), trace);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        producer.close(Duration.ofSeconds(2));
    }
}
