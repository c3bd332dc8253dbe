package dev.parley.platform.streams;

import dev.parley.platform.dispatch.StreamThread;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.SigningProducer;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The producer of a stream thread: it notifies waiters once a commit has succeeded. */
final class CommitNotifyingProducer extends SigningProducer {
    CommitNotifyingProducer(Map<String, Object> settings, @Nullable RecordSignatures signatures) {
        super(settings, signatures);
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
