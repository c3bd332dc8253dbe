package dev.parley.server.bench;

import dev.parley.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** How long a record takes from a producer to a consumer with nothing in between: the floor of every hop. */
final class RoundTrip {
    private RoundTrip() {}

    /** Sends records one after the other; times in microseconds. The topic's partition 0 is used. */
    static Histogram measure(KafkaClients clients, String topic, int records)
            throws InterruptedException, ExecutionException {
        var micros = new Histogram(Duration.ofMinutes(1).toNanos() / 1_000, 3);
        var partition = new TopicPartition(topic, 0);
        try (var producer = clients.producer("bench-round-trip");
                var consumer = clients.consumer("bench-round-trip", null, Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition);
            for (int i = 0; i < records; i++) {
                long begin = System.nanoTime();
                producer.send(new ProducerRecord<>(topic, 0, null, new byte[500]));
                while (consumer.poll(Duration.ofSeconds(1)).isEmpty()) {
                    // the record is on its way
                }
                micros.recordValue((System.nanoTime() - begin) / 1_000);
            }
        }
        return micros;
    }
}
