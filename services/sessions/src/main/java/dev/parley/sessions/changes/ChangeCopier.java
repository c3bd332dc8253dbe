package dev.parley.sessions.changes;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what happens in the projects that ask for it to {@code project-changes}, exactly once, in one thread. After a
 * failure it begins again with new clients, where it had committed.
 */
public final class ChangeCopier implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeCopier.class);

    /** The consumer group, and the prefix of its transactions. */
    private static final String GROUP = "parley-changes";

    private static final Duration BACKOFF = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(10);

    /** Nobody waits: the records of half a second share a transaction. */
    static final Map<String, Object> FETCHING = Map.of(
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
            1 << 20,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            500,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            8 << 20,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            2_000);

    private final KafkaClients clients;
    private final Map<String, Object> sending;
    private final Supplier<Set<UUID>> followed;
    private volatile String problem = "";
    private volatile boolean stopped;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;

    /**
     * @param instance this process's name, unique and the same after a restart
     * @param followed ids of the projects whose changes are copied, as they are now
     */
    public ChangeCopier(KafkaClients clients, String instance, Supplier<Set<UUID>> followed) {
        this.clients = clients;
        this.followed = followed;
        this.sending = Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG, GROUP + "-" + instance,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000,
                ProducerConfig.LINGER_MS_CONFIG, 20);
    }

    @Override
    public String name() {
        return "project-changes";
    }

    @Override
    public void start() {
        thread = Thread.ofPlatform().name("project-changes").daemon().start(this::run);
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        stopped = true;
        Consumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            if (thread != null && !thread.join(CLOSE)) {
                LOG.warn("the copier of changes did not stop within {} s", CLOSE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            try (Consumer<byte[], byte[]> reading = clients.consumer("project-changes", GROUP, FETCHING);
                    Producer<byte[], byte[]> producer = clients.producer("project-changes", sending)) {
                consumer = reading;
                producer.initTransactions();
                var copies = new Copies(clients, reading, producer, followed.get());
                while (!stopped) {
                    copies.follow(followed.get());
                    copies.step();
                    problem = "";
                }
            } catch (WakeupException e) {
                // close() asked for it
            } catch (RuntimeException e) {
                problem = String.valueOf(e.getMessage());
                LOG.atWarn().setCause(e).log("project-changes copier failed; retrying");
                LockSupport.parkNanos(BACKOFF.toNanos());
            }
        }
    }
}
