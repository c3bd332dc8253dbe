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

/** Reads one partition of {@code turn-deltas} from an old offset, for one watch, until the hub can take over. */
final class CatchUp implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(10);

    private final KafkaClients clients;
    private final TopicPartition partition;
    private final Runnable onClose;
    private final long begun = System.nanoTime();
    private long position;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private boolean closed;

    /** @param from the first offset that is wanted */
    CatchUp(KafkaClients clients, TopicPartition partition, long from, Runnable onClose) {
        this.clients = clients;
        this.partition = partition;
        this.position = from;
        this.onClose = onClose;
    }

    /** The first offset that was not read. */
    long position() {
        return position;
    }

    /** Whether it takes longer than it may. */
    boolean isOverdue() {
        return System.nanoTime() - begun > LONGEST.toNanos();
    }

    /** Records of this session, oldest first. */
    List<ConsumerRecord<byte[], byte[]>> poll(Duration most, String key) throws InterruptedException {
        try {
            Consumer<byte[], byte[]> from = consumer == null ? open() : consumer;
            var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            from.poll(most).forEach(record -> {
                if (RecordCodec.key(record).equals(key)) {
                    found.add(record);
                }
            });
            position = from.position(partition, CALL);
            return found;
        } catch (InterruptException e) {
            throw new InterruptedException();
        }
    }

    /** An offset behind the end is of a topic that was made anew: what comes now is what there is. */
    private Consumer<byte[], byte[]> open() {
        var opened = clients.consumer(
                "deltas-catch-up", null, Map.of(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20));
        consumer = opened;
        opened.assign(List.of(partition));
        long end = opened.endOffsets(List.of(partition), CALL).getOrDefault(partition, 0L);
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
