package dev.parley.platform.testkit;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hears everything that comes to a topic from now on. */
public final class TopicTap<V> implements AutoCloseable {
    private final Topic<V> topic;
    private final Queue<Heard<V>> heard = new ConcurrentLinkedQueue<>();
    private final Consumer<byte[], byte[]> consumer;
    private final Thread thread;
    private volatile boolean closed;

    /** A record, and when it was heard. */
    public record Heard<V>(V value, ConsumerRecord<byte[], byte[]> record, long nanos) {
        /** The record's key. */
        public String key() {
            return RecordCodec.key(record);
        }
    }

    private TopicTap(KafkaClients clients, Topic<V> topic) {
        this.topic = topic;
        consumer = clients.consumer("tap-" + topic, null, Map.of("isolation.level", "read_uncommitted"));
        var partitions = KafkaClients.partitions(consumer, topic);
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().daemon().name("tap-" + topic).start(this::listen);
    }

    /** Listens from now on. */
    public static <V> TopicTap<V> on(KafkaClients clients, Topic<V> topic) {
        return new TopicTap<>(clients, topic);
    }

    private void listen() {
        try (consumer) {
            while (!closed) {
                for (var record : consumer.poll(Duration.ofMillis(20))) {
                    @SuppressWarnings("unchecked")
                    V value = topic.type() == byte[].class ? (V) record.value() : RecordCodec.read(topic, record);
                    heard.add(new Heard<>(value, record, System.nanoTime()));
                }
            }
        }
    }

    /** What was heard so far, in order of each partition. */
    public List<Heard<V>> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
