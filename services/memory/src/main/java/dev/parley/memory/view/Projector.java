package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent;
import dev.parley.memory.view.Projection.Moved;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.service.Service;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code memory-events} and keeps the views. The consumer group gives it partitions and nothing else: how far it is
 * stands in Postgres, beside the rows, so each event is projected exactly once. While Postgres is away it waits and tries
 * again; it loses nothing and stays in its group.
 */
public final class Projector implements Service {
    /** The consumer group, which assigns partitions and keeps no offsets. */
    public static final String GROUP = "parley-memory-projector";

    private static final Logger LOG = LoggerFactory.getLogger(Projector.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

    /** What a batch touches is counted anew: few at once, so that no statement takes long. */
    private static final Map<String, Object> FETCHING = Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);

    /** How long events wait for others to share their transaction, as long as nobody in this process waits for the tables. */
    private static final Duration LINGER = Duration.ofMillis(100);

    /** So many do not wait for others. */
    private static final int MANY = 100;

    private final KafkaClients clients;
    private final Database database;
    private final Topic<MemoryEvent> topic;
    private final ViewSignals signals;
    /** Partitions that were assigned, or failed, and have not been put on their watermark since. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    private volatile String problem = "starting";
    private volatile String moving = "";
    private volatile boolean stopped;
    private Duration backoff = FIRST_BACKOFF;
    /** When the last batch was written, and how long that took, in nanoseconds. */
    private long ended = System.nanoTime();

    private long took;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /** A projector of the topic into the views of the database, for which nobody in this process waits. */
    public Projector(KafkaClients clients, Database database, Topic<MemoryEvent> topic) {
        this(clients, database, topic, new ViewSignals());
    }

    /**
     * A projector of the topic into the views of the database.
     *
     * @param signals of those who wait for the views
     */
    public Projector(KafkaClients clients, Database database, Topic<MemoryEvent> topic, ViewSignals signals) {
        this.signals = signals;
        this.clients = clients;
        this.database = database;
        this.topic = topic;
    }

    @Override
    public String name() {
        return "memory-projector";
    }

    @Override
    public void start() {
        var following = clients.consumer(name(), GROUP, FETCHING);
        consumer = following;
        thread = Thread.ofPlatform().name(name()).daemon().start(() -> run(following));
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    /** Another instance has its partitions for a moment, or a replay has the views: readers see what was true before. */
    @Override
    public Optional<String> moving() {
        return moving.isEmpty() ? Optional.empty() : Optional.of(moving);
    }

    @Override
    public void close() {
        stopped = true;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (thread != null && !thread.join(Duration.ofSeconds(10))) {
                LOG.warn("the projector of memory did not stop within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Consumer<byte[], byte[]> following) {
        try (following;
                var deadLetters = clients.producer(name() + "-dead-letters")) {
            var projection = new Projection(topic, database, deadLetters, signals);
            following.subscribe(List.of(topic.name()), placingOnAssignment(following));
            while (!stopped) {
                step(following, projection);
            }
        } catch (WakeupException e) {
            // close() asked for it
        } catch (RuntimeException | Error e) {
            problem = "stopped by an error; the log says which";
            LOG.atError().setCause(e).log("the projector of memory ends");
        }
    }

    private void step(Consumer<byte[], byte[]> following, Projection projection) {
        try {
            place(following, projection);
            ConsumerRecords<byte[], byte[]> records = following.poll(POLL);
            var inOrder = new ArrayList<ConsumerRecord<byte[], byte[]>>(records.count());
            records.forEach(inOrder::add);
            Map<Integer, Long> next = next(records);
            if (linger(records.count())) {
                ConsumerRecords<byte[], byte[]> more = following.poll(Duration.ZERO);
                more.forEach(inOrder::add);
                next.putAll(next(more));
            }
            long begin = System.nanoTime();
            projection.project(inOrder, next);
            ended = System.nanoTime();
            took = ended - begin;
            if (unplaced.isEmpty()) {
                problem = "";
                moving = "";
                backoff = FIRST_BACKOFF;
            }
        } catch (Moved e) {
            LOG.atInfo().addKeyValue("why", e.getMessage()).log("the projector of memory reads its watermark again");
            moving = String.valueOf(e.getMessage());
            pause(following);
        } catch (WakeupException e) {
            throw e;
        } catch (SQLException | KafkaException e) {
            if (problem.isEmpty()) {
                LOG.atWarn().setCause(e).log("the projector of memory cannot go on now, and tries again");
            }
            problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("failed");
            pause(following);
        }
    }

    /**
     * Whether a few events have waited for others: until somebody waits for the views, and where one batch follows the other as long
     * as the last one took, so that batches grow with the load.
     */
    private boolean linger(int records) {
        if (records == 0 || records >= MANY || stopped) {
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

    /** Where each partition that came on is now: behind its last record, and behind what is none, such as the marks of transactions. */
    static Map<Integer, Long> next(ConsumerRecords<byte[], byte[]> records) {
        var next = new HashMap<Integer, Long>();
        records.nextOffsets().forEach((partition, offset) -> next.put(partition.partition(), offset.offset()));
        return next;
    }

    private ConsumerRebalanceListener placingOnAssignment(Consumer<byte[], byte[]> following) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                following.pause(partitions);
                unplaced.addAll(partitions);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                unplaced.removeAll(partitions);
            }
        };
    }

    private void place(Consumer<byte[], byte[]> following, Projection projection) throws SQLException {
        if (!unplaced.isEmpty()) {
            projection
                    .place(unplaced.stream().map(TopicPartition::partition).toList())
                    .forEach(
                            (partition, offset) -> following.seek(new TopicPartition(topic.name(), partition), offset));
            following.resume(unplaced);
            unplaced.clear();
        }
    }

    /** Waits as a member of the group, with all partitions paused, and places them anew. */
    private void pause(Consumer<byte[], byte[]> following) {
        following.pause(following.assignment());
        unplaced.addAll(following.assignment());
        long until = System.nanoTime() + backoff.toNanos();
        while (!stopped && System.nanoTime() < until) {
            following.poll(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
        Duration twice = backoff.multipliedBy(2);
        backoff = twice.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : twice;
    }
}
