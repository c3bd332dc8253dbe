package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.service.Service;
import dev.parley.sessions.projection.ViewStore.Moved;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code turn-events} and keeps the views. The consumer group gives it partitions and nothing else: how far it is
 * stands in Postgres, beside the rows, so each event is projected exactly once. While Postgres is away it waits and
 * tries again; it loses nothing and stays in its group.
 */
public final class Projector implements Service {
    /** The consumer group, which assigns partitions and keeps no offsets. */
    public static final String GROUP = "parley-sessions-projector";

    private static final Logger LOG = LoggerFactory.getLogger(Projector.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

    /** How many events a batch has at most, by a poll more. */
    private static final int MOST = 5_000;

    private static final Map<String, Object> FETCHING = Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST);

    /** Batches begin so far apart at most... */
    private static final Duration PACE = Duration.ofMillis(100);

    /** ...and so many times what the last one took: few, large ones under load, and at rest each event at once. */
    private static final int SHARE = 4;

    /** How long a fetch of what is there already may take. */
    private static final Duration MORE = Duration.ofMillis(5);

    private final KafkaClients clients;
    private final Database database;
    private final Topic<TurnEvent> topic;
    private final String group;
    private final ProjectionMetrics metrics;
    /** Partitions that were assigned, or failed, and have not been put on their watermark since. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    private volatile String problem = "starting";
    private volatile String moving = "";
    private volatile long lagRecords;
    private volatile double lagSeconds;
    private volatile boolean stopped;
    private Duration backoff = FIRST_BACKOFF;
    private long nextBatch = System.nanoTime();
    private @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /** A projector of the topic into the views of the database. */
    public Projector(KafkaClients clients, Database database, Topic<TurnEvent> topic, MeterRegistry registry) {
        this(clients, database, topic, GROUP, registry);
    }

    Projector(KafkaClients clients, Database database, Topic<TurnEvent> topic, String group, MeterRegistry registry) {
        this.clients = clients;
        this.database = database;
        this.topic = topic;
        this.group = group;
        this.metrics = new ProjectionMetrics(registry);
    }

    @Override
    public String name() {
        return "projector";
    }

    @Override
    public void start() {
        var following = clients.consumer("projector", group, FETCHING);
        consumer = following;
        thread = Thread.ofPlatform().name("projector").daemon().start(() -> run(following));
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
                LOG.warn("the projector did not stop within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Consumer<byte[], byte[]> following) {
        try (following;
                Producer<byte[], byte[]> producer = clients.producer("projector-dead-letters")) {
            var batches = new BatchProjection(topic, database, DeadLetterBox.topic(producer, "projector"), metrics);
            following.subscribe(List.of(topic.name()), placingOnAssignment(following));
            while (!stopped) {
                step(following, batches);
            }
        } catch (WakeupException e) {
            // close() asked for it
        } catch (RuntimeException | Error e) {
            problem = "stopped by an error; the log says which";
            LOG.atError().setCause(e).log("the projector ends");
        }
    }

    private void step(Consumer<byte[], byte[]> following, BatchProjection batches) {
        try {
            place(following, batches);
            Polled polled = poll(following);
            long begun = System.nanoTime();
            batches.project(polled.records(), polled.next());
            nextBatch = begun + Math.min(PACE.toNanos(), SHARE * (System.nanoTime() - begun));
            if (polled.records().isEmpty()) {
                batches.settle();
            }
            progressed(following, polled.records());
        } catch (Moved e) {
            LOG.atInfo().addKeyValue("why", e.getMessage()).log("the projector reads its watermark again");
            moving = String.valueOf(e.getMessage());
            pause(following);
        } catch (SQLException e) {
            failed(following, e);
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            failed(following, e);
        }
    }

    /** Records, in order, and where to go on after them. */
    private record Polled(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next) {
        void add(ConsumerRecords<byte[], byte[]> more) {
            more.forEach(records::add);
            next.putAll(Projector.next(more));
        }
    }

    /** What is there, as soon as something is and the next batch may begin. */
    private Polled poll(Consumer<byte[], byte[]> following) {
        var polled = new Polled(new ArrayList<>(), new HashMap<>());
        polled.add(following.poll(POLL));
        long wait = nextBatch - System.nanoTime();
        if (wait <= 0 || polled.next().isEmpty()) {
            return polled;
        }
        LockSupport.parkNanos(wait);
        long until = System.nanoTime() + 2 * MORE.toNanos();
        ConsumerRecords<byte[], byte[]> more;
        do {
            more = following.poll(MORE);
            polled.add(more);
        } while (!more.isEmpty() && polled.records().size() < MOST && System.nanoTime() < until);
        return polled;
    }

    /** Where each partition that came on is now: behind its last record, and behind what is none, such as the marks of transactions. */
    static Map<Integer, Long> next(ConsumerRecords<byte[], byte[]> records) {
        return records.nextOffsets().entrySet().stream()
                .collect(Collectors.toMap(
                        next -> next.getKey().partition(),
                        next -> next.getValue().offset()));
    }

    private void progressed(Consumer<byte[], byte[]> following, List<ConsumerRecord<byte[], byte[]>> records) {
        if (unplaced.isEmpty()) {
            problem = "";
            moving = "";
            backoff = FIRST_BACKOFF;
        }
        long lag = following.assignment().stream()
                .mapToLong(partition -> following.currentLag(partition).orElse(0))
                .sum();
        Instant now = Instant.now();
        Instant newest = now;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            newest = Instant.ofEpochMilli(record.timestamp());
        }
        lagRecords = lag;
        lagSeconds = lag == 0 ? 0 : Math.max(0, Duration.between(newest, now).toMillis() / 1000.0);
        metrics.lag(lagRecords, lagSeconds);
    }

    /** How many events of this instance's partitions wait. */
    public long lagRecords() {
        return lagRecords;
    }

    /** How old the newest event was when it was projected; 0 while nothing waits. */
    public double lagSeconds() {
        return lagSeconds;
    }

    // ---- where to go on

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

    private void place(Consumer<byte[], byte[]> following, BatchProjection batches) throws SQLException {
        if (unplaced.isEmpty()) {
            return;
        }
        Map<Integer, Long> offsets =
                batches.place(unplaced.stream().map(TopicPartition::partition).toList());
        offsets.forEach((partition, offset) -> following.seek(new TopicPartition(topic.name(), partition), offset));
        following.resume(unplaced);
        unplaced.clear();
    }

    // ---- when it does not go on

    private void failed(Consumer<byte[], byte[]> following, Exception e) {
        metrics.failed();
        if (problem.isEmpty()) {
            LOG.atWarn().setCause(e).log("the projector cannot go on now, and tries again");
        }
        problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("failed");
        pause(following);
    }

    /** Waits as a member of the group, with all partitions paused, and places them anew. */
    private void pause(Consumer<byte[], byte[]> following) {
        following.pause(following.assignment());
        unplaced.addAll(following.assignment());
        long until = System.nanoTime() + backoff.toNanos();
        while (!stopped && System.nanoTime() < until) {
            following.poll(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
        backoff = backoff.multipliedBy(2).compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : backoff.multipliedBy(2);
    }
}
