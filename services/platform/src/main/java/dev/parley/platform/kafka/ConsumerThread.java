package dev.parley.platform.kafka;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** A thread with its own consumer, which it polls until it is closed. */
public final class ConsumerThread {
    /** How long most readers are waited for. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private volatile boolean stopped;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /**
     * Begins, once.
     *
     * @param reading reads until {@link #isStopped()}; the consumer is closed after it
     * @param failed is told what it throws, but for the wake-up of {@link #close(Duration)}
     */
    public void start(
            String name,
            Consumer<byte[], byte[]> own,
            java.util.function.Consumer<Consumer<byte[], byte[]>> reading,
            java.util.function.Consumer<Throwable> failed) {
        consumer = own;
        thread = Thread.ofPlatform().name(name).daemon().start(() -> {
            try (own) {
                reading.accept(own);
            } catch (WakeupException e) {
                // close() asked for it
            } catch (RuntimeException | Error e) {
                failed.accept(e);
            }
        });
    }

    /** Whether it is to end. */
    public boolean isStopped() {
        return stopped;
    }

    /** Ends a poll early. @return whether it reads */
    boolean wakeup() {
        Consumer<byte[], byte[]> own = consumer;
        if (stopped || own == null) {
            return false;
        }
        own.wakeup();
        return true;
    }

    /**
     * Ends it, and waits for it.
     *
     * @return whether it has ended in time
     */
    public boolean close(Duration patience) {
        stopped = true;
        Consumer<byte[], byte[]> own = consumer;
        if (own != null) {
            own.wakeup();
        }
        try {
            return thread == null || thread.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
