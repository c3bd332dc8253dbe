package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.PolledBatch;
import dev.parley.platform.projection.Projection;
import dev.parley.platform.projection.TopicProjector;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;

/** Projects {@code turn-events} into the views. */
public final class Projector extends TopicProjector {
    /** The consumer group, which assigns partitions; offsets are stored in Postgres. */
    public static final String GROUP = "parley-sessions-projector";

    private static final String NAME = "projector";

    /** Maximum events of a batch, exceeded by one poll at most. */
    private static final int MAX_EVENTS = 5_000;

    /** Maximum time between the start of two batches... */
    private static final Duration MAX_PACE = Duration.ofMillis(100);

    /**
     * ...and maximum as a multiple of the duration of the last batch: few, large batches under load, and single events
     * at once when idle.
     */
    private static final int PACE_FACTOR = 4;

    /** Timeout of a poll for records that are already fetched. */
    private static final Duration FILL_POLL = Duration.ofMillis(5);

    private final Database database;
    private final Topic<TurnEvent> topic;
    private final ProjectionMetrics metrics;
    private long nextBatch = System.nanoTime();

    /** A projector of the topic into the views of the database. */
    public Projector(KafkaClients clients, Database database, Topic<TurnEvent> topic, MeterRegistry registry) {
        this(clients, database, topic, GROUP, registry);
    }

    Projector(KafkaClients clients, Database database, Topic<TurnEvent> topic, String group, MeterRegistry registry) {
        super(NAME, group, clients, topic, MAX_EVENTS);
        this.database = database;
        this.topic = topic;
        this.metrics = new ProjectionMetrics(registry);
    }

    @Override
    protected Projection projection(Producer<byte[], byte[]> deadLetters) {
        return new TurnEventProjection(NAME, topic, database, deadLetters, metrics);
    }

    /** Adds records that arrive before the next batch may begin. */
    @Override
    protected void fill(PolledBatch polled, Consumer<byte[], byte[]> following) {
        long wait = nextBatch - System.nanoTime();
        if (wait <= 0 || polled.next().isEmpty()) {
            return;
        }
        LockSupport.parkNanos(wait);
        long deadline = System.nanoTime() + 2 * FILL_POLL.toNanos();
        ConsumerRecords<byte[], byte[]> batch;
        do {
            batch = following.poll(FILL_POLL);
            polled.add(batch);
        } while (!batch.isEmpty() && polled.records().size() < MAX_EVENTS && System.nanoTime() < deadline);
    }

    @Override
    protected void onProjected(PolledBatch polled, long nanoseconds, Consumer<byte[], byte[]> following) {
        nextBatch = System.nanoTime() - nanoseconds + Math.min(MAX_PACE.toNanos(), PACE_FACTOR * nanoseconds);
    }

    @Override
    protected void onFailed() {
        metrics.countFailure();
    }
}
