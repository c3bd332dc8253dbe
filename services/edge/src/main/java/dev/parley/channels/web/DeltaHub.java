package dev.parley.channels.web;

import dev.parley.channels.deltas.DeltaListener;
import dev.parley.channels.web.PositionedDelta.Position;
import dev.parley.domain.RecordKey;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code turn-deltas} once for all watches of this instance, and caches the newest records, so that reconnecting
 * clients resume at once. For older offsets a watch reads the topic itself until the hub can take over.
 */
@Singleton
@Order(60)
@Requires(property = "parley.role.channels", value = "true")
final class DeltaHub implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(DeltaHub.class);
    private static final int MAX_WATCHES = 10_000;
    private static final int MAX_CATCH_UPS = 16;
    private static final int MAX_BYTES = 64 << 20;
    private static final Duration ABANDONED_AFTER = Duration.ofMinutes(2);
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(200);
    private static final Map<String, Object> FOLLOWING =
            Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, KafkaClients.FOLLOWING_WAIT_MILLIS);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final KafkaClients clients;
    private final List<DeltaListener> listeners;
    private final Set<DeltaWatch> watches = ConcurrentHashMap.newKeySet();
    private final Semaphore catchUps = new Semaphore(MAX_CATCH_UPS);
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Map<Integer, DeltaLog> logs = Map.of();
    private volatile @Nullable Consumer<byte[], byte[]> polling;
    private @Nullable Thread thread;
    private long sweptNanos = System.nanoTime();

    DeltaHub(KafkaClients clients, List<DeltaListener> listeners) {
        this.clients = clients;
        this.listeners = listeners;
    }

    @Override
    public String name() {
        return "deltas";
    }

    @Override
    public void start() {
        thread = Thread.ofPlatform().name("deltas").daemon().start(this::run);
        try {
            if (!ready.await(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the topic turn-deltas could not be read within " + START_TIMEOUT.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<String> problem() {
        return ready.getCount() == 0 && closing.getCount() > 0 ? Optional.empty() : Optional.of("deltas are not read");
    }

    /**
     * Watches a session.
     *
     * @param after the last event that the client has, or null
     * @param recent without {@code after}: start with the cached records instead of the next one
     */
    DeltaWatch watch(RecordKey key, @Nullable Position after, boolean recent) {
        if (problem().isPresent() || watches.size() >= MAX_WATCHES) {
            throw busy();
        }
        int partition =
                BuiltInPartitioner.partitionForKey(key.toString().getBytes(StandardCharsets.UTF_8), logs.size());
        DeltaLog log = logs.get(partition);
        if (log == null || (after != null && after.partition() != partition)) {
            throw ApiException.badRequest(
                    "invalid_event_id", "The event " + after + " does not belong to this session");
        }
        var watch = new DeltaWatch(key, partition, log, from -> catchUp(partition, from), watches::remove);
        watches.add(watch);
        try {
            begin(watch, after, recent);
            return watch;
        } catch (RuntimeException e) {
            watch.close();
            throw e;
        }
    }

    /** The number of watches. */
    int watching() {
        return watches.size();
    }

    private static void begin(DeltaWatch watch, @Nullable Position after, boolean recent) {
        if (after != null) {
            watch.attachAt(after.offset() + 1);
        } else if (recent) {
            watch.attachAtOldest();
        } else {
            watch.attachAtEnd();
        }
    }

    private CatchUp catchUp(int partition, long from) {
        if (!catchUps.tryAcquire()) {
            throw busy();
        }
        return CatchUp.of(clients, partition, from, catchUps::release);
    }

    private static ApiException busy() {
        return new ApiException(
                        HttpStatus.SERVICE_UNAVAILABLE, "busy", "Too many streams are open on this instance; try again")
                .retryAfter(Duration.ofSeconds(1));
    }

    private void run() {
        while (closing.getCount() > 0) {
            try (var consumer = clients.consumer("deltas", null, FOLLOWING)) {
                polling = consumer;
                begin(consumer);
                while (closing.getCount() > 0) {
                    consumer.poll(POLL_TIMEOUT).forEach(this::receive);
                    consumer.assignment()
                            .forEach(partition -> log(partition.partition()).advance(consumer.position(partition)));
                    sweep();
                }
            } catch (WakeupException | InterruptException e) {
                // close() asked for it
            } catch (KafkaException e) {
                LOG.atWarn().setCause(e).log("delta consumer failed; restarting");
                pause();
            } finally {
                polling = null;
            }
        }
    }

    private void receive(ConsumerRecord<byte[], byte[]> record) {
        log(record.partition()).append(record);
        try {
            notifyListeners(record);
        } catch (RuntimeException e) {
            LOG.atDebug().setCause(e).log("delta could not be delivered to a subscriber");
        }
    }

    private void notifyListeners(ConsumerRecord<byte[], byte[]> record) {
        String key = RecordCodec.key(record);
        String session = key.substring(key.indexOf('/') + 1);
        for (DeltaListener listener : listeners) {
            if (listener.accepts(session)) {
                listener.onDelta(RecordKey.parse(key), RecordCodec.read(Topics.TURN_DELTAS, record));
            }
        }
    }

    private void begin(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = KafkaClients.partitions(consumer, Topics.TURN_DELTAS);
        consumer.assign(partitions);
        if (logs.isEmpty()) {
            consumer.seekToEnd(partitions);
            var created = new HashMap<Integer, DeltaLog>();
            partitions.forEach(partition -> created.put(
                    partition.partition(), new DeltaLog(consumer.position(partition), MAX_BYTES / partitions.size())));
            logs = Map.copyOf(created);
            ready.countDown();
        } else {
            partitions.forEach(partition ->
                    consumer.seek(partition, log(partition.partition()).next()));
        }
    }

    private DeltaLog log(int partition) {
        return Objects.requireNonNull(logs.get(partition), "partitions never disappear");
    }

    /** Closes watches of streams that ended before they were read. */
    private void sweep() {
        long now = System.nanoTime();
        if (now - sweptNanos > ABANDONED_AFTER.toNanos() / 4) {
            sweptNanos = now;
            watches.stream().filter(watch -> watch.isAbandoned(ABANDONED_AFTER)).forEach(DeltaWatch::close);
        }
    }

    private void pause() {
        try {
            closing.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all streams, then stops. */
    @Override
    public void close() {
        closing.countDown();
        watches.forEach(DeltaWatch::end);
        Consumer<byte[], byte[]> consumer = polling;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (thread != null && !thread.join(Duration.ofSeconds(5))) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
