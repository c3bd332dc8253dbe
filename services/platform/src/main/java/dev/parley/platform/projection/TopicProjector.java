package dev.parley.platform.projection;

import dev.parley.platform.kafka.ConsumerThread;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.service.Service;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a topic and keeps its views up to date. The consumer group only assigns partitions: the watermarks are in
 * Postgres, beside the rows, so each event is projected exactly once. While Postgres is unavailable the projector
 * retries; it loses nothing and stays in its group.
 */
public abstract class TopicProjector implements Service {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);
    /** Longest time that {@link #close} waits for the batch that is being written. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Logger log = LoggerFactory.getLogger(getClass());
    private final String name;
    private final String group;
    private final KafkaClients clients;
    private final Topic<?> topic;
    private final int maxPollRecords;
    /** Partitions that must seek to their watermark, after an assignment or a failure. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    private final Set<TopicPartition> assigned = ConcurrentHashMap.newKeySet();

    private final EventLag lag = new EventLag();
    private volatile String problem = "starting";
    private volatile String moving = "";
    private final ConsumerThread thread = new ConsumerThread();
    private Duration backoff = FIRST_BACKOFF;

    /**
     * A projector of a topic.
     *
     * @param group the consumer group, which assigns partitions and stores no offsets
     * @param maxPollRecords maximum number of records of a poll
     */
    protected TopicProjector(String name, String group, KafkaClients clients, Topic<?> topic, int maxPollRecords) {
        this.name = name;
        this.group = group;
        this.clients = clients;
        this.topic = topic;
        this.maxPollRecords = maxPollRecords;
    }

    /**
     * Creates the projection, once.
     *
     * @param deadLetters sends records that cannot be projected
     */
    protected abstract Projection projection(Producer<byte[], byte[]> deadLetters);

    /** May add records of further polls to a batch. */
    protected abstract void fill(PolledBatch polled, Consumer<byte[], byte[]> consumer);

    /**
     * A batch was committed, or a poll was empty.
     *
     * @param took nanoseconds
     */
    protected void onProjected(PolledBatch polled, long took, Consumer<byte[], byte[]> consumer) {
        // nothing to measure
    }

    /** A batch failed and is retried. */
    protected void onFailed() {
        // nothing to count
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final void start() {
        var following = clients.consumer(
                name,
                group,
                Map.of(
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        maxPollRecords,
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        KafkaClients.FOLLOWING_WAIT_MILLIS));
        thread.start(name, following, this::run, e -> {
            problem = "stopped by an error; see the log";
            log.atError().setCause(e).log("{} stopped", name);
        });
    }

    @Override
    public final Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    /** Another instance still projects its partitions, or a replay is running: the views are stale. */
    @Override
    public final Optional<String> moving() {
        return moving.isEmpty() ? Optional.empty() : Optional.of(moving);
    }

    /** Number of offsets between the tables and the ends of this instance's partitions, also without a database. */
    public final long lagRecords() {
        return lag.records();
    }

    /** For how many seconds the oldest event that is not in the tables has been known; 0 without lag. */
    public final double lagSeconds() {
        return lag.seconds(System.nanoTime());
    }

    /** The partitions of this instance. */
    final Set<TopicPartition> assigned() {
        return assigned;
    }

    /** The ends of topics, as they are at a time of {@link System#nanoTime}. */
    final void observe(Map<TopicPartition, Long> ends, long nanoTime) {
        var own = new HashMap<Integer, Long>();
        for (TopicPartition partition : assigned) {
            Long end = ends.get(partition);
            if (end != null) {
                own.put(partition.partition(), end);
            }
        }
        lag.ends(own, nanoTime);
    }

    /** Whether the projector should end. */
    protected final boolean isStopped() {
        return thread.isStopped();
    }

    @Override
    public final void close() {
        if (!thread.close(TIMEOUT)) {
            log.warn("{} did not stop within {}", name, TIMEOUT);
        }
    }

    private void run(Consumer<byte[], byte[]> consumer) {
        try (var deadLetters = clients.producer(name + "-dead-letters")) {
            Projection projection = projection(deadLetters);
            consumer.subscribe(List.of(topic.name()), placingOnAssignment(consumer));
            while (!thread.isStopped()) {
                step(consumer, projection);
            }
        }
    }

    private void step(Consumer<byte[], byte[]> consumer, Projection projection) {
        try {
            seekToWatermarks(consumer, projection);
            projectNext(consumer, projection);
            if (unplaced.isEmpty()) {
                problem = "";
                moving = "";
                backoff = FIRST_BACKOFF;
            }
        } catch (MovedException e) {
            log.atInfo().addKeyValue("reason", e.getMessage()).log("{} reads its watermark again", name);
            moving = String.valueOf(e.getMessage());
            pause(consumer);
        } catch (WakeupException e) {
            throw e;
        } catch (SQLException | KafkaException e) {
            onFailed();
            noteProblem(e);
            pause(consumer);
        }
    }

    private void noteProblem(Exception failure) {
        if (problem.isEmpty()) {
            log.atWarn().setCause(failure).log("{} failed; retrying", name);
        }
        problem = String.valueOf(failure.getMessage()).lines().findFirst().orElse("failed");
    }

    private void projectNext(Consumer<byte[], byte[]> consumer, Projection projection)
            throws SQLException, MovedException {
        PolledBatch polled = PolledBatch.of(consumer.poll(POLL));
        fill(polled, consumer);
        long start = System.nanoTime();
        projection.project(polled.records(), polled.next());
        lag.projected(polled.next());
        onProjected(polled, System.nanoTime() - start, consumer);
        if (polled.records().isEmpty()) {
            projection.settle();
        }
    }

    private ConsumerRebalanceListener placingOnAssignment(Consumer<byte[], byte[]> consumer) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                consumer.pause(partitions);
                unplaced.addAll(partitions);
                assigned.addAll(partitions);
                partitions.forEach(partition -> lag.assigned(partition.partition()));
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                unplaced.removeAll(partitions);
                assigned.removeAll(partitions);
                partitions.forEach(partition -> lag.revoked(partition.partition()));
            }
        };
    }

    private void seekToWatermarks(Consumer<byte[], byte[]> consumer, Projection projection) throws SQLException {
        if (!unplaced.isEmpty()) {
            Map<Integer, Long> next = projection.readWatermarks(
                    unplaced.stream().map(TopicPartition::partition).toList());
            next.forEach((partition, offset) -> consumer.seek(new TopicPartition(topic.name(), partition), offset));
            lag.projected(next);
            consumer.resume(unplaced);
            unplaced.clear();
        }
    }

    /** Waits as a member of the group with all partitions paused; they then seek to their watermarks. */
    private void pause(Consumer<byte[], byte[]> consumer) {
        consumer.pause(consumer.assignment());
        unplaced.addAll(consumer.assignment());
        long deadline = System.nanoTime() + backoff.toNanos();
        while (!thread.isStopped() && System.nanoTime() < deadline) {
            consumer.poll(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        Duration doubled = backoff.multipliedBy(2);
        backoff = doubled.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : doubled;
    }
}
