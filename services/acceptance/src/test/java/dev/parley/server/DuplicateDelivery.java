package dev.parley.server;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Delivers each command and each result a second time, unchanged. For each of them it also aborts a transaction with an
 * invalid record and a message that nobody sent.
 */
final class DuplicateDelivery implements AutoCloseable {
    private static final List<Topic<?>> TOPICS = List.of(Topics.TURN_COMMANDS, Topics.RESULTS, Topics.MEMORY_COMMANDS);
    private static final String AGAIN = "again";

    private final Consumer<byte[], byte[]> consumer;
    private final Producer<byte[], byte[]> producer;
    private final Producer<byte[], byte[]> aborting;
    private final Thread thread;
    private final AtomicInteger doubled = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private volatile boolean caughtUp;
    private volatile boolean closed;
    private volatile RuntimeException failure;

    DuplicateDelivery(KafkaClients clients) {
        consumer = clients.consumer("twice", null, Map.of());
        producer = clients.producer("twice");
        aborting = clients.producer("aborting", Map.of("transactional.id", "garbage"));
        aborting.initTransactions();
        List<TopicPartition> partitions = TOPICS.stream()
                .flatMap(topic -> KafkaClients.partitions(consumer, topic).stream())
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().daemon().name("twice").start(this::listen);
    }

    private void listen() {
        try (consumer;
                producer;
                aborting) {
            while (!closed) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(20));
                caughtUp = records.isEmpty();
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    if (record.headers().lastHeader(AGAIN) == null) {
                        sendAgain(record);
                    }
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void sendAgain(ConsumerRecord<byte[], byte[]> record) {
        abort(record);
        var duplicate = new ProducerRecord<>(
                record.topic(), record.partition(), null, record.key(), record.value(), record.headers());
        duplicate.headers().add(AGAIN, new byte[0]);
        var _ = producer.send(duplicate, (_, e) -> {
            if (e != null) {
                failure = new IllegalStateException(e);
            }
        });
        doubled.incrementAndGet();
    }

    private void abort(ConsumerRecord<byte[], byte[]> record) {
        aborting.beginTransaction();
        var _ = aborting.send(
                new ProducerRecord<>(record.topic(), record.partition(), record.key(), new byte[] {1, 2, 3}));
        if (record.topic().equals(Topics.TURN_COMMANDS.name())
                && RecordCodec.read(Topics.TURN_COMMANDS, record) instanceof SubmitTurn turn) {
            UUID id = UUID.randomUUID();
            var garbage = new SubmitTurn(
                    turn.meta().silent(id),
                    turn.origin(),
                    id.toString(),
                    turn.mode(),
                    turn.agent(),
                    turn.settings(),
                    List.of(Block.text("answer garbage")),
                    turn.channel(),
                    turn.channelId(),
                    turn.replyTo(),
                    turn.parent());
            var _ = aborting.send(RecordCodec.record(
                    Topics.TURN_COMMANDS, record.partition(), RecordCodec.key(record), garbage, id, null));
        }
        aborting.flush(); // it is on the topic, and never committed
        aborting.abortTransaction();
        aborted.incrementAndGet();
    }

    /** The number of records that were delivered a second time. */
    int doubled() {
        if (failure != null) {
            throw failure;
        }
        return doubled.get();
    }

    /** Whether the last poll returned no records. */
    boolean isCaughtUp() {
        return caughtUp;
    }

    /** The number of aborted transactions. */
    int aborted() {
        return aborted.get();
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
