package dev.parley.platform.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
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
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaClients clients;
    private final Topic<V> topic;
    private final BiConsumer<String, @Nullable V> taker;
    private final Duration patience;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final AtomicReference<@Nullable CompletableFuture<Void>> asked = new AtomicReference<>();
    private final ConsumerThread thread = new ConsumerThread();
    private volatile boolean ended;

    /**
     * @param taker is given each key with its value, or with null where the key is no more; in one thread
     * @param patience how long the beginning may take
     */
    public TopicFollower(
            KafkaClients clients, Topic<V> topic, BiConsumer<String, @Nullable V> taker, Duration patience) {
        this.clients = clients;
        this.topic = topic;
        this.taker = taker;
        this.patience = patience;
    }

    /** Begins, and returns when all that stood on the topic is taken. @throws IllegalStateException where that is not in time */
    public void start() {
        String name = topic.name() + "-follower";
        thread.start(name, clients.consumer(name, null, Map.of()), this::follow, e -> {
            LOG.atError().setCause(e).log("follower of {} stopped", topic);
            ended = true;
        });
        try {
            if (!caughtUp.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the topic " + topic + " could not be read within " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading " + topic, e);
        }
    }

    private void follow(Consumer<byte[], byte[]> following) {
        List<TopicPartition> partitions = KafkaClients.partitions(following, topic);
        following.assign(partitions);
        following.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = following.endOffsets(partitions);
        while (!thread.isStopped()) {
            // Looked at before a poll too, which waits for records where there are none.
            if (caughtUp.getCount() > 0 && isPast(following, ends)) {
                caughtUp.countDown();
            }
            try {
                following.poll(POLL).forEach(this::take);
            } catch (WakeupException e) {
                // somebody asks, or close() does
            }
            if (caughtUp.getCount() == 0) {
                answer(following, partitions);
            }
        }
    }

    /** Those who ask are told when all is taken that stood on the topic after they had asked. */
    private void answer(Consumer<byte[], byte[]> following, List<TopicPartition> partitions) {
        CompletableFuture<Void> question = asked.getAndSet(null);
        if (question == null) {
            return;
        }
        try {
            Map<TopicPartition, Long> ends = new HashMap<>(following.endOffsets(partitions, Duration.ofSeconds(1)));
            long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
            while (!thread.isStopped() && !isPast(following, ends) && System.nanoTime() < until) {
                try {
                    following.poll(Duration.ofMillis(50)).forEach(this::take);
                } catch (WakeupException e) {
                    // another question: it has its turn
                }
            }
        } catch (WakeupException | org.apache.kafka.common.errors.TimeoutException e) {
            // they go on with what is known
        } finally {
            question.complete(null);
        }
    }

    private static boolean isPast(Consumer<?, ?> following, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> following.position(end.getKey()) >= end.getValue());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        String key = RecordCodec.key(record);
        try {
            taker.accept(key, record.value() == null ? null : RecordCodec.read(topic, record));
        } catch (SerializationException e) {
            LOG.atWarn().addKeyValue("key", key).setCause(e).log("unreadable record of {} skipped", topic);
        }
    }

    /**
     * Waits until all is taken that stands on the topic now. Many who ask at once cost one question to the brokers.
     *
     * @return whether that was so in time
     */
    public boolean catchUp(Duration most) {
        CompletableFuture<Void> mine = asked.updateAndGet(open -> open == null ? new CompletableFuture<>() : open);
        if (mine == null || ended || !thread.wakeup()) {
            return false;
        }
        try {
            mine.get(most.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What keeps it from being up to date, if anything. */
    public Optional<String> problem() {
        return ended || thread.isStopped() || caughtUp.getCount() > 0 ? Optional.of("not followed") : Optional.empty();
    }

    @Override
    public void close() {
        thread.close(ConsumerThread.PATIENCE);
    }
}
