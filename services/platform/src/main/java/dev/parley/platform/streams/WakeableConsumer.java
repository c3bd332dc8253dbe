package dev.parley.platform.streams;

import dev.parley.platform.dispatch.StreamThread;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The consumer of a stream thread. A poll returns when records or in-memory answers arrive or a commit is due; when
 * idle it waits longer than requested, since a thread of Kafka Streams would spin.
 */
final class WakeableConsumer extends KafkaConsumer<byte[], byte[]> {
    private static final Duration BUSY = Duration.ofMillis(250);
    private static final Duration AT_REST = Duration.ofMillis(50);

    private final Object waking = new Object();
    private boolean polling;
    private boolean woken;
    private long lastRecords = System.nanoTime();

    WakeableConsumer(Map<String, Object> settings) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration wait) {
        StreamThread loop = StreamThread.current();
        loop.attach(this::wake);
        boolean rests = System.nanoTime() - lastRecords > BUSY.toNanos();
        ConsumerRecords<byte[], byte[]> records = wakeable(loop, rests && wait.isPositive() ? longer(wait) : wait);
        if (!records.isEmpty()) {
            lastRecords = System.nanoTime();
        }
        loop.polled(records.count());
        return records;
    }

    private static Duration longer(Duration wait) {
        return wait.compareTo(AT_REST) < 0 ? AT_REST : wait;
    }

    private ConsumerRecords<byte[], byte[]> wakeable(StreamThread loop, Duration most) {
        synchronized (waking) {
            polling = true;
        }
        try {
            return super.poll(loop.patience(most)); // an answer that came before is seen here, a later one wakes
        } catch (WakeupException e) {
            woken = false;
            return ConsumerRecords.empty();
        } finally {
            asleep();
        }
    }

    /** Outside of a poll nothing is woken: a wake-up that the poll did not see is taken here. */
    private void asleep() {
        boolean pending;
        synchronized (waking) {
            polling = false;
            pending = woken;
            woken = false;
        }
        if (pending) {
            try {
                putBack(super.poll(Duration.ZERO)); // ends at once, before it looks for records
            } catch (WakeupException e) {
                // that is what it is for
            }
        }
    }

    /** Should the wake-up have been lost after all, what came is polled again. */
    private void putBack(ConsumerRecords<byte[], byte[]> records) {
        records.partitions()
                .forEach(partition ->
                        seek(partition, records.records(partition).getFirst().offset()));
    }

    private void wake() {
        synchronized (waking) {
            if (polling && !woken) {
                woken = true;
                wakeup();
            }
        }
    }
}
