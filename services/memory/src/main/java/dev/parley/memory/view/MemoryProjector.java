package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.PolledBatch;
import dev.parley.platform.projection.Projection;
import dev.parley.platform.projection.TopicProjector;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Projects {@code memory-events} into the tables. */
public final class MemoryProjector extends TopicProjector {
    /** The consumer group, which assigns partitions; offsets are stored in Postgres. */
    public static final String GROUP = "parley-memory-projector";

    /** Counts are updated for each batch: small, so that no statement takes long. */
    private static final int MAX_EVENTS = 500;

    /** Maximum wait for more events to share a transaction, unless a reader of this process waits for the tables. */
    private static final Duration LINGER = Duration.ofMillis(100);

    /** A batch of this size does not wait. */
    private static final int LARGE_BATCH = 100;

    private final Database database;
    private final Topic<MemoryEvent> topic;
    private final ViewSignals signals;
    /** Time of the last write of a batch, and its duration, in nanoseconds. */
    private long ended = System.nanoTime();

    private long took;

    /** A projector without readers in this process. */
    public MemoryProjector(KafkaClients clients, Database database, Topic<MemoryEvent> topic) {
        this(clients, database, topic, new ViewSignals());
    }

    /**
     * A projector with readers in this process.
     *
     * @param signals of readers that wait for the tables
     */
    public MemoryProjector(KafkaClients clients, Database database, Topic<MemoryEvent> topic, ViewSignals signals) {
        super("memory-projector", GROUP, clients, topic, MAX_EVENTS);
        this.signals = signals;
        this.database = database;
        this.topic = topic;
    }

    @Override
    protected Projection projection(Producer<byte[], byte[]> deadLetters) {
        return new MemoryProjection(topic, database, deadLetters, signals);
    }

    @Override
    protected void fill(PolledBatch polled, Consumer<byte[], byte[]> following) {
        if (linger(polled.records().size())) {
            polled.add(following.poll(Duration.ZERO));
        }
    }

    /**
     * Whether a small batch waited for more: until a reader waits for the tables, and under load as long as the last
     * batch took, so that batches grow.
     */
    private boolean linger(int records) {
        if (records == 0 || records >= LARGE_BATCH || isStopped()) {
            return false;
        }
        try {
            signals.awaitSomebody(LINGER);
            long pause = Math.min(took, LINGER.toNanos()) - (System.nanoTime() - ended);
            TimeUnit.NANOSECONDS.sleep(pause); // returns immediately unless positive
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    protected void onProjected(PolledBatch polled, long nanoseconds, Consumer<byte[], byte[]> following) {
        ended = System.nanoTime();
        took = nanoseconds;
    }
}
