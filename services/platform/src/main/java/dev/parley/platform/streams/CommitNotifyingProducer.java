package dev.parley.platform.streams;

import dev.parley.platform.dispatch.StreamThread;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer of a stream thread: it notifies waiters once a commit has succeeded. */
final class CommitNotifyingProducer extends KafkaProducer<byte[], byte[]> {
    CommitNotifyingProducer(Map<String, Object> settings) {
        super(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
        try {
            super.commitTransaction();
        } catch (RuntimeException e) {
            StreamThread.current().onDiscarded();
            throw e;
        }
        StreamThread.current().onCommitted();
    }

    @Override
    public void abortTransaction() {
        StreamThread.current().onDiscarded();
        super.abortTransaction();
    }

    @Override
    public void close(Duration timeout) {
        StreamThread.current().onDiscarded();
        super.close(timeout);
    }
}
