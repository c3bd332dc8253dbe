package dev.parley.platform.streams;

import dev.parley.platform.dispatch.StreamThread;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.VerifyingConsumer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of a stream thread. A poll returns when records or in-memory answers arrive, or a commit or a timer is
 * due; when idle it waits longer than requested, since a thread of Kafka Streams would spin.
 */
final class WakeableConsumer extends VerifyingConsumer {
    private static final Duration BUSY = Duration.ofMillis(250);
    /** A thread that stops waits as long, at most. */
    private static final Duration IDLE_WAIT = Duration.ofMillis(250);

    /** While partitions are paused: their stores are restored, and the thread must see when one is complete. */
    private static final Duration RESTORING_WAIT = Duration.ofMillis(50);

    private final Object waking = new Object();
    private boolean polling;
    private boolean woken;
    private long lastRecords = System.nanoTime();

    WakeableConsumer(Map<String, Object> settings, @Nullable RecordSignatures signatures) {
        super(settings, signatures);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration wait) {
        StreamThread loop = StreamThread.current();
        loop.attach(this::wake);
        boolean isIdle = System.nanoTime() - lastRecords > BUSY.toNanos();
        ConsumerRecords<byte[], byte[]> records =
                pollUntilWoken(loop, isIdle && wait.isPositive() ? longer(loop, wait) : wait);
        if (!records.isEmpty()) {
            lastRecords = System.nanoTime();
        }
        loop.onPolled(records.count());
        return records;
    }

    /** Until the next timer, at least the requested time. */
    private Duration longer(StreamThread loop, Duration wait) {
        Instant now = Instant.now();
        Instant end = loop.wakeUpBefore(now.plus(paused().isEmpty() ? IDLE_WAIT : RESTORING_WAIT));
        Duration until = Duration.between(now, end);
        return until.compareTo(wait) < 0 ? wait : until;
    }

    private ConsumerRecords<byte[], byte[]> pollUntilWoken(StreamThread loop, Duration timeout) {
        synchronized (waking) {
            polling = true;
        }
        try {
            return super.poll(
                    loop.pollTimeout(timeout)); // an earlier result shortens the timeout, a later one wakes the poll
        } catch (WakeupException e) {
            woken = false;
            return ConsumerRecords.empty();
        } finally {
            endPoll();
        }
    }

    /** Consumes a wake-up that the poll did not see, so that it does not interrupt a later call. */
    private void endPoll() {
        boolean pending;
        synchronized (waking) {
            polling = false;
            pending = woken;
            woken = false;
        }
        if (pending) {
            try {
                rewind(super.poll(Duration.ZERO)); // throws before it fetches records
            } catch (WakeupException e) {
                // consumed
            }
        }
    }

    /** Rewinds to records that were polled although a wake-up was pending. */
    private void rewind(ConsumerRecords<byte[], byte[]> records) {
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
