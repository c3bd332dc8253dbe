package dev.parley.platform.streams;

import dev.parley.platform.lane.StreamLoop;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer of a stream thread: it tells what waits for a commit when the commit has succeeded, and only then. */
final class HookedProducer extends KafkaProducer<byte[], byte[]> {
    HookedProducer(Map<String, Object> settings) {
        super(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
        try {
            super.commitTransaction();
        } catch (RuntimeException e) {
            StreamLoop.current().discarded();
            throw e;
        }
        StreamLoop.current().committed();
    }

    @Override
    public void abortTransaction() {
        StreamLoop.current().discarded();
        super.abortTransaction();
    }

    @Override
    public void close(Duration timeout) {
        StreamLoop.current().discarded();
        super.close(timeout);
    }
}
