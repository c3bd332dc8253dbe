package dev.parley.platform.kafka;

import dev.parley.platform.serde.SchemaLookupException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a compacted topic from its beginning and then follows it, in one thread. Each process reads all of it. */
public final class TopicFollower<V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final KafkaClients clients;
    private final Topic<V> topic;
    private final Listener<V> listener;
    private final Duration timeout;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final AtomicReference<@Nullable CompletableFuture<Void>> catchUps = new AtomicReference<>();
    private final ConsumerThread thread = new ConsumerThread();
    private volatile boolean ended;
    private volatile boolean retrying;
    private final RecordRevisions revisions = new RecordRevisions();
    private final @Nullable RecordSignatures signatures;
    /** Keys whose newest record the newest installation key has not signed. */
    private final Set<String> outdated = ConcurrentHashMap.newKeySet();

    /** Receives the records of the topic. */
    @FunctionalInterface
    public interface Listener<V> {
        /** @param value null for a tombstone */
        void accept(String key, @Nullable V value, Instant writtenAt);

        /** The newest record of a key cannot be read, or {@link #accept} has thrown this exception. */
        default void refuse(String key, SerializationException problem) {}
    }

    /**
     * @param listener receives each key with its value, or null for a tombstone; in one thread
     * @param timeout for reading the topic once
     */
    public TopicFollower(KafkaClients clients, Topic<V> topic, Listener<V> listener, Duration timeout) {
        this.clients = clients;
        this.signatures = clients.signatures();
        this.topic = topic;
        this.listener = listener;
        this.timeout = timeout;
    }

    /**
     * Starts, and returns when all present records are read.
     *
     * @throws IllegalStateException if that takes too long
     */
    public void start() {
        String name = topic.name() + "-follower";
        thread.start(name, clients.consumer(name, null, Map.of()), this::follow, e -> {
            LOG.atError().setCause(e).log("follower of {} stopped", topic);
            ended = true;
        });
        try {
            if (!caughtUp.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the topic " + topic + " could not be read within " + timeout.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading " + topic, e);
        }
    }

    private void follow(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = KafkaClients.partitions(consumer, topic);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (!thread.isStopped()) {
            // Checked before the poll, which waits if the topic has no more records.
            if (caughtUp.getCount() > 0 && isPast(consumer, ends)) {
                caughtUp.countDown();
            }
            try {
                consumer.poll(POLL).forEach(this::read);
            } catch (WakeupException e) {
                // woken by catchUp() or close()
            }
            if (caughtUp.getCount() == 0) {
                completeCatchUp(consumer, partitions);
            }
        }
    }

    /** Completes {@link #catchUp} when all records are read that the topic had after its call. */
    private void completeCatchUp(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
        CompletableFuture<Void> pending = catchUps.getAndSet(null);
        if (pending == null) {
            return;
        }
        try {
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions, Duration.ofSeconds(1)));
            long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
            while (!thread.isStopped() && !isPast(consumer, ends) && System.nanoTime() < deadline) {
                try {
                    consumer.poll(Duration.ofMillis(50)).forEach(this::read);
                } catch (WakeupException e) {
                    // woken by another catchUp(), which is handled next
                }
            }
        } catch (WakeupException | org.apache.kafka.common.errors.TimeoutException e) {
            // callers continue with the records read so far
        } finally {
            pending.complete(null);
        }
    }

    private static boolean isPast(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        while (!thread.isStopped()) {
            try {
                accept(record);
                retrying = false;
                return;
            } catch (SchemaLookupException e) {
                if (!retrying) {
                    LOG.atWarn().setCause(e).log("record of {} cannot be read now; retrying", topic);
                }
                retrying = true;
                LockSupport.parkNanos(RETRY_DELAY.toNanos());
            }
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> record) {
        String key = RecordCodec.key(record);
        if (signatures != null && !isBelieved(signatures, key, record)) {
            return;
        }
        try {
            listener.accept(
                    key,
                    record.value() == null ? null : RecordCodec.read(topic, record),
                    Instant.ofEpochMilli(record.timestamp()));
        } catch (SerializationException e) {
            LOG.atWarn()
                    .addKeyValue("key", key)
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("cause", e.toString())
                    .log("unreadable record of {} skipped", topic);
            listener.refuse(key, e);
        }
    }

    /** Whether a record is no older state of its key than a record that was read before. */
    private boolean isBelieved(RecordSignatures known, String key, ConsumerRecord<byte[], byte[]> record) {
        if (!revisions.isNext(key, record)) {
            known.refuse(new RecordSignatures.Refused(
                    record, new RefusedRecordException("it is an older state, which was published before"), false));
            return false;
        }
        if (known.isCurrent(record)) {
            outdated.remove(key);
        } else {
            outdated.add(key);
        }
        return true;
    }

    /** Keys whose newest record another key has signed than the newest one, or none. */
    public Set<String> outdated() {
        return Set.copyOf(outdated);
    }

    /**
     * Waits until all records are read that the topic has now. Concurrent calls share one request to the brokers.
     *
     * @return whether they were read in time
     */
    public boolean catchUp(Duration timeout) {
        CompletableFuture<Void> pending =
                catchUps.updateAndGet(open -> open == null ? new CompletableFuture<>() : open);
        if (pending == null || ended || !thread.wakeup()) {
            return false;
        }
        try {
            pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The reason why the follower is not up to date; empty if it is. */
    public Optional<String> problem() {
        if (retrying) {
            return Optional.of("a record cannot be read now");
        }
        return ended || thread.isStopped() || caughtUp.getCount() > 0 ? Optional.of("not followed") : Optional.empty();
    }

    @Override
    public void close() {
        thread.close(ConsumerThread.CLOSE_TIMEOUT);
    }
}
