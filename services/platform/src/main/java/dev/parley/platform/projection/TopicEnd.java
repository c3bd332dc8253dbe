package dev.parley.platform.projection;

import dev.parley.platform.kafka.Topic;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Projects a topic up to its current end, for replays. */
public final class TopicEnd {
    private static final Duration POLL = Duration.ofMillis(500);

    private TopicEnd() {}

    /**
     * Projects partitions from their watermarks to their current end.
     *
     * @param consumer without partitions, or with these
     * @return number of projected records
     * @throws MovedException if another instance projects these partitions, too
     */
    public static long project(
            Projection projection,
            Consumer<byte[], byte[]> consumer,
            Topic<?> topic,
            Collection<TopicPartition> partitions)
            throws SQLException, MovedException {
        consumer.assign(partitions);
        List<Integer> numbers =
                partitions.stream().map(TopicPartition::partition).toList();
        projection
                .readWatermarks(numbers)
                .forEach((partition, next) -> consumer.seek(new TopicPartition(topic.name(), partition), next));
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long projected = 0;
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            PolledBatch polled = PolledBatch.of(consumer.poll(POLL));
            projection.project(polled.records(), polled.next());
            projected += polled.records().size();
        }
        return projected;
    }
}
