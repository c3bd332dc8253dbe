package dev.parley.channels.bots;

import dev.parley.domain.protocol.Reply;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Producer of the replies of bots themselves to {@code replies}, where they keep their order with those of agents, and
 * of unreadable records to the dead-letter topic.
 */
final class ReplySender implements Service {
    private static final Duration ACK_TIMEOUT = Duration.ofSeconds(12);

    private final KafkaClients clients;
    private volatile @Nullable Producer<byte[], byte[]> producer;

    ReplySender(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "bot-answers";
    }

    @Override
    public synchronized void start() {
        if (producer == null) {
            producer = clients.producer("bot-answers");
        }
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    /**
     * Returns when the reply is durable.
     *
     * @throws ExecutionException and TimeoutException when it may not be
     */
    void send(Reply reply) throws ExecutionException, TimeoutException, InterruptedException {
        var record = RecordCodec.record(Topics.REPLIES, reply.to().bot(), reply, reply.replyId(), null);
        await(running().send(record));
    }

    /** Returns when an unreadable record is durable on the dead-letter topic. */
    void deadLetter(ConsumerRecord<byte[], byte[]> record, Exception cause)
            throws ExecutionException, TimeoutException, InterruptedException {
        await(running().send(DeadLetters.of(record, "bots", cause)));
    }

    private static void await(Future<RecordMetadata> sent)
            throws ExecutionException, TimeoutException, InterruptedException {
        sent.get(ACK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Producer<byte[], byte[]> running() throws TimeoutException {
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            throw new TimeoutException("not started yet");
        }
        return open;
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            open.close(Duration.ofSeconds(2));
        }
    }
}
