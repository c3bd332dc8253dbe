package dev.parley.platform.gateway;

import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.SchemaLookupException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns a partition of {@code outcomes} and reads it from its end. One consumer is a member of the group, which assigns
 * partitions, and another one reads. So a revoked partition is still read while callers wait for its outcomes, and the
 * restart of an instance loses no outcome of others.
 */
final class OutcomeReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeReader.class);
    private static final String GROUP = "parley-outcomes";
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Map<String, Object> FOLLOWING =
            Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, KafkaClients.FOLLOWING_WAIT_MILLIS);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final KafkaClients clients;
    private final java.util.function.Consumer<Outcome> listener;
    private final java.util.function.Consumer<ProducerRecord<byte[], byte[]>> deadLetters;
    private final Supplier<Set<Integer>> awaited;
    private final OutcomePartitions partitions = new OutcomePartitions();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch first = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Integer own;
    private volatile @Nullable Consumer<byte[], byte[]> polling;

    /**
     * @param awaited the partitions of waiting callers
     * @param deadLetters receives unreadable records
     */
    OutcomeReader(
            KafkaClients clients,
            Supplier<Set<Integer>> awaited,
            java.util.function.Consumer<Outcome> listener,
            java.util.function.Consumer<ProducerRecord<byte[], byte[]>> deadLetters) {
        this.clients = clients;
        this.awaited = awaited;
        this.listener = listener;
        this.deadLetters = deadLetters;
        this.thread = Thread.ofPlatform().name("outcomes").daemon().start(this::run);
    }

    /** The partition of this instance, or null. */
    @Nullable
    Integer ownPartition() {
        return own;
    }

    /** Waits for the first partition of this instance; returns false if none was assigned in time. */
    boolean awaitOwn(Duration timeout) throws InterruptedException {
        return first.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether outcomes are read. */
    boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        while (closing.getCount() > 0) {
            try (var member = member();
                    var reader = clients.consumer("outcomes", null, FOLLOWING)) {
                polling = reader;
                follow(member, reader);
            } catch (WakeupException | InterruptException e) {
                // requested by close()
            } catch (KafkaException e) {
                LOG.atWarn().setCause(e).log("outcome consumer failed; restarting");
                pause();
            } finally {
                own = null;
                polling = null;
            }
        }
    }

    private Consumer<byte[], byte[]> member() {
        return clients.consumer(
                "outcomes-member",
                GROUP,
                Map.of(
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                        CooperativeStickyAssignor.class.getName(),
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "latest"));
    }

    private void follow(Consumer<byte[], byte[]> member, Consumer<byte[], byte[]> reader) {
        member.subscribe(List.of(Topics.OUTCOMES.name()), pauseAll(member));
        long lastCheck = System.nanoTime() - EVERY_NANOS;
        while (closing.getCount() > 0) {
            if (System.nanoTime() - lastCheck >= EVERY_NANOS) {
                lastCheck = System.nanoTime();
                member.poll(Duration.ZERO);
                choose(member.assignment(), reader);
            }
            if (reader.assignment().isEmpty()) {
                member.poll(POLL);
                choose(member.assignment(), reader);
            } else {
                reader.poll(POLL).forEach(this::receive);
            }
        }
    }

    /** The member never reads: it seeks to the end and pauses. */
    private static ConsumerRebalanceListener pauseAll(Consumer<byte[], byte[]> member) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                member.seekToEnd(partitions);
                member.pause(partitions);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
        };
    }

    private void choose(Set<TopicPartition> assigned, Consumer<byte[], byte[]> reader) {
        var numbers = new TreeSet<Integer>();
        assigned.forEach(partition -> numbers.add(partition.partition()));
        Integer next = own != null && numbers.contains(own) ? own : numbers.isEmpty() ? null : numbers.first();
        read(partitions.at(System.nanoTime(), next, awaited.get()), reader);
        own = next;
        if (next != null) {
            first.countDown();
        }
    }

    /** Reads new partitions from their end, which is fixed before a command can name them. */
    private static void read(Set<Integer> partitions, Consumer<byte[], byte[]> reader) {
        var before = Set.copyOf(reader.assignment());
        var after = new HashSet<TopicPartition>();
        partitions.forEach(number -> after.add(new TopicPartition(Topics.OUTCOMES.name(), number)));
        if (before.equals(after)) {
            return;
        }
        reader.assign(after);
        var added = new HashSet<>(after);
        added.removeAll(before);
        reader.seekToEnd(added);
        added.forEach(reader::position);
    }

    private void receive(ConsumerRecord<byte[], byte[]> record) {
        while (closing.getCount() > 0) {
            try {
                pass(record);
                return;
            } catch (SchemaLookupException e) {
                LOG.atWarn().setCause(e).log("an outcome cannot be read now; retrying");
                pause();
            }
        }
    }

    private void pass(ConsumerRecord<byte[], byte[]> record) {
        try {
            listener.accept(RecordCodec.read(Topics.OUTCOMES, record));
        } catch (SerializationException e) {
            deadLetters.accept(DeadLetters.of(record, "outcomes", e));
        }
    }

    private void pause() {
        try {
            closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        Consumer<byte[], byte[]> reader = polling;
        if (reader != null) {
            reader.wakeup();
        }
        try {
            if (!thread.join(Duration.ofSeconds(5))) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
