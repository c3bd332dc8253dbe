package dev.parley.bench;

import dev.parley.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Latency of a record from a producer to a consumer: the lower bound of every hop. */
final class RoundTrip {
    private static final int RECORD_BYTES = 500;

    private RoundTrip() {}

    /** Sends records one after the other; times in microseconds. The topic's partition 0 is used. */
    static Histogram measurePlain(KafkaClients clients, String topic, int records) {
        try (var producer = clients.producer("bench-plain")) {
            return measure(clients, topic, records, () -> {
                var _ = producer.send(record(topic));
            });
        }
    }

    /**
     * Sends each record with an offset in a transaction, as each step of a turn does; consumers read committed records.
     */
    static Histogram measureTransactions(KafkaClients clients, String topic, int records) {
        var offsets = Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0));
        Map<String, Object> transactional = Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "bench-committed");
        try (var producer = clients.producer("bench-committed", transactional);
                var member = clients.consumer("bench-committed", "bench-committed", Map.of())) {
            producer.initTransactions();
            return measure(clients, topic, records, () -> {
                producer.beginTransaction();
                var _ = producer.send(record(topic));
                producer.sendOffsetsToTransaction(offsets, member.groupMetadata());
                producer.commitTransaction();
            });
        }
    }

    private static Histogram measure(KafkaClients clients, String topic, int records, Runnable send) {
        var micros = new Histogram(Duration.ofMinutes(1).toNanos() / 1_000, 3);
        var partition = new TopicPartition(topic, 0);
        try (Consumer<byte[], byte[]> consumer = clients.consumer("bench-round-trip", null, Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition);
            for (int i = 0; i < records; i++) {
                long start = System.nanoTime();
                send.run();
                while (consumer.poll(Duration.ofSeconds(1)).isEmpty()) {
                    // the record is on its way
                }
                micros.recordValue((System.nanoTime() - start) / 1_000);
            }
        }
        return micros;
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, 0, null, new byte[RECORD_BYTES]);
    }
}
