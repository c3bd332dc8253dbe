package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.Polled;
import dev.parley.platform.projection.Projection;
import dev.parley.platform.projection.TopicProjector;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Follows {@code memory-events} and keeps the views. */
public final class MemoryProjector extends TopicProjector {
    /** The consumer group, which assigns partitions and keeps no offsets. */
    public static final String GROUP = "parley-memory-projector";

    /** What a batch touches is counted anew: few at once, so that no statement takes long. */
    private static final int MOST = 500;

    /** How long events wait for others to share their transaction, as long as nobody in this process waits for the tables. */
    private static final Duration LINGER = Duration.ofMillis(100);

    /** So many do not wait for others. */
    private static final int MANY = 100;

    private final Database database;
    private final Topic<MemoryEvent> topic;
    private final ViewSignals signals;
    /** When the last batch was written, and how long that took, in nanoseconds. */
    private long ended = System.nanoTime();

    private long took;

    /** A projector of the topic into the views of the database, for which nobody in this process waits. */
    public MemoryProjector(KafkaClients clients, Database database, Topic<MemoryEvent> topic) {
        this(clients, database, topic, new ViewSignals());
    }

    /**
     * A projector of the topic into the views of the database.
     *
     * @param signals of those who wait for the views
     */
    public MemoryProjector(KafkaClients clients, Database database, Topic<MemoryEvent> topic, ViewSignals signals) {
        super("memory-projector", GROUP, clients, topic, MOST);
        this.signals = signals;
        this.database = database;
        this.topic = topic;
    }

    @Override
    protected Projection projection(Producer<byte[], byte[]> deadLetters) {
        return new MemoryProjection(topic, database, deadLetters, signals);
    }

    @Override
    protected void fill(Polled polled, Consumer<byte[], byte[]> following) {
        if (linger(polled.records().size())) {
            polled.add(following.poll(Duration.ZERO));
        }
    }

    /**
     * Whether a few events have waited for others: until somebody waits for the views, and where one batch follows the other as long
     * as the last one took, so that batches grow with the load.
     */
    private boolean linger(int records) {
        if (records == 0 || records >= MANY || isStopped()) {
            return false;
        }
        try {
            signals.awaitSomebody(LINGER);
            long rest = Math.min(took, LINGER.toNanos()) - (System.nanoTime() - ended);
            TimeUnit.NANOSECONDS.sleep(rest); // none where it is not above 0
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    protected void projected(Polled polled, long nanoseconds, Consumer<byte[], byte[]> following) {
        ended = System.nanoTime();
        took = nanoseconds;
    }
}
