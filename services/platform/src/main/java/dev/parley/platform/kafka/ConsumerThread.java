package dev.parley.platform.kafka;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** A thread with its own consumer, which it polls until it is closed. */
public final class ConsumerThread {
    /** The usual timeout of {@link #close(Duration)}. */
    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private volatile boolean stopped;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /**
     * Starts the thread, once.
     *
     * @param reading polls until {@link #isStopped()}; the consumer is closed after it
     * @param failed receives its exceptions, except the wake-up of {@link #close(Duration)}
     */
    public void start(
            String name,
            Consumer<byte[], byte[]> kafkaConsumer,
            java.util.function.Consumer<Consumer<byte[], byte[]>> reading,
            java.util.function.Consumer<Throwable> failed) {
        consumer = kafkaConsumer;
        thread = Thread.ofPlatform().name(name).daemon().start(() -> {
            try (kafkaConsumer) {
                reading.accept(kafkaConsumer);
            } catch (WakeupException e) {
                // requested by close()
            } catch (RuntimeException | Error e) {
                failed.accept(e);
            }
        });
    }

    /** Whether the thread should end. */
    public boolean isStopped() {
        return stopped;
    }

    /** Ends a poll early; returns whether the thread is running. */
    boolean wakeup() {
        Consumer<byte[], byte[]> current = consumer;
        if (stopped || current == null) {
            return false;
        }
        current.wakeup();
        return true;
    }

    /**
     * Ends the thread, and waits for it.
     *
     * @return whether it ended in time
     */
    public boolean close(Duration timeout) {
        stopped = true;
        Consumer<byte[], byte[]> current = consumer;
        if (current != null) {
            current.wakeup();
        }
        try {
            return thread == null || thread.join(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
