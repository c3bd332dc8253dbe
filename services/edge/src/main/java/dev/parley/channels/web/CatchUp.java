package dev.parley.channels.web;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Reads a partition of {@code turn-deltas} from an old offset, for one watch, until the hub can take over. */
final class CatchUp implements AutoCloseable {
    private static final Duration MAX_DURATION = Duration.ofMinutes(2);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    private final KafkaClients clients;
    private final TopicPartition partition;
    private final Runnable onClose;
    private final long startedNanos = System.nanoTime();
    private long position;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private boolean closed;

    /** @param from the first offset to read */
    CatchUp(KafkaClients clients, TopicPartition partition, long from, Runnable onClose) {
        this.clients = clients;
        this.partition = partition;
        this.position = from;
        this.onClose = onClose;
    }

    /** The next offset to read. */
    long position() {
        return position;
    }

    /** Whether the catch-up has exceeded two minutes. */
    boolean isOverdue() {
        return System.nanoTime() - startedNanos > MAX_DURATION.toNanos();
    }

    /** Records of this session, oldest first. */
    List<ConsumerRecord<byte[], byte[]>> poll(Duration timeout, String key) throws InterruptedException {
        try {
            Consumer<byte[], byte[]> from = consumer == null ? open() : consumer;
            var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            from.poll(timeout).forEach(record -> {
                if (RecordCodec.key(record).equals(key)) {
                    found.add(record);
                }
            });
            position = from.position(partition, CALL_TIMEOUT);
            return found;
        } catch (InterruptException e) {
            throw new InterruptedException();
        }
    }

    /** An offset beyond the end is of a topic that was recreated: reading starts at its end. */
    private Consumer<byte[], byte[]> open() {
        var opened = clients.consumer(
                "deltas-catch-up", null, Map.of(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20));
        consumer = opened;
        opened.assign(List.of(partition));
        long end = opened.endOffsets(List.of(partition), CALL_TIMEOUT).getOrDefault(partition, 0L);
        position = Math.min(position, end);
        opened.seek(partition, position);
        return opened;
    }

    static CatchUp of(KafkaClients clients, int partition, long from, Runnable onClose) {
        return new CatchUp(clients, new TopicPartition(Topics.TURN_DELTAS.name(), partition), from, onClose);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.run();
            if (consumer != null) {
                consumer.close();
            }
        }
    }
}
