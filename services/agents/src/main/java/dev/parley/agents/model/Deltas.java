package dev.parley.agents.model;

import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.worker.CallContext;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Publishes stream deltas, best effort: one producer and one timer thread for all calls of a worker. */
final class Deltas implements AutoCloseable {
    /**
     * A call's result waits until its deltas are acknowledged, so they do not linger. With one request in flight, the
     * deltas of many calls that arrive meanwhile are batched into the next request.
     */
    private static final Map<String, Object> SETTINGS = Map.of(
            ProducerConfig.LINGER_MS_CONFIG, 0,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1,
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

    /** The sender of one attempt of a call. */
    DeltaSender sender(CallContext call, UUID turnId, int step, int attempt) {
        return new DeltaSender(
                producer,
                clock,
                call.key(),
                TurnDelta.of(turnId, TurnDelta.Kind.TOKEN, step, attempt, ""),
                call.trace(),
                call.inMemory());
    }

    @Override
    public void close() {
        clock.shutdownNow();
        producer.close(Duration.ofSeconds(2));
    }
}
