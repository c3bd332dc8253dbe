package dev.parley.sessions.copies;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies records between topics exactly once, in one thread; processes share the partitions. After a failure it
 * restarts with new clients from its committed offsets.
 */
public abstract class TopicCopier implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCopier.class);
    private static final Duration BACKOFF = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final KafkaClients clients;
    private final String name;
    private final String group;
    private final Map<String, Object> fetching;
    private final Map<String, Object> sending;
    private volatile String problem = "";
    private volatile boolean stopped;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /**
     * @param name of the service, its thread and its clients
     * @param group the consumer group, and the prefix of its transactional id
     * @param instance unique name of this process, the same after a restart
     * @param fetching consumer settings, which decide how many records share a transaction
     * @param sending additional producer settings
     */
    protected TopicCopier(
            KafkaClients clients,
            String name,
            String group,
            String instance,
            Map<String, Object> fetching,
            Map<String, Object> sending) {
        this.clients = clients;
        this.name = name;
        this.group = group;
        this.fetching = fetching;
        this.sending = new HashMap<>(Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG, group + "-" + instance,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000,
                ProducerConfig.LINGER_MS_CONFIG, 20));
        this.sending.putAll(sending);
    }

    /** Whether there is anything to copy; where not, the thread ends until the next start of the process. */
    protected boolean isNeeded() {
        return true;
    }

    /** One step, which is run repeatedly: copies the next records in a transaction, if some arrive in time. */
    protected abstract Runnable copying(Consumer<byte[], byte[]> reading, Producer<byte[], byte[]> producer);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final void start() {
        thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    @Override
    public final Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public final void close() {
        stopped = true;
        Consumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            if (thread != null && !thread.join(CLOSE_TIMEOUT)) {
                LOG.warn("{} did not stop within {} s", name, CLOSE_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean needed = true;
        while (!stopped && needed) {
            try {
                needed = isNeeded();
                problem = "";
                if (needed) {
                    copy();
                }
            } catch (WakeupException e) {
                // sent by close()
            } catch (RuntimeException e) {
                problem = String.valueOf(e.getMessage());
                LOG.atWarn().setCause(e).log("{} failed; retrying", name);
                LockSupport.parkNanos(BACKOFF.toNanos());
            }
        }
    }

    private void copy() {
        try (Consumer<byte[], byte[]> reading = clients.consumer(name, group, fetching);
                Producer<byte[], byte[]> producer = clients.producer(name, sending)) {
            consumer = reading;
            producer.initTransactions();
            Runnable copying = copying(reading, producer);
            while (!stopped) {
                copying.run();
                problem = "";
            }
        }
    }
}
