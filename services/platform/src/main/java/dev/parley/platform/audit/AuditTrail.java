package dev.parley.platform.audit;

import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends audit entries to the control service on the topic {@code audit}. When that fails, the operation still
 * succeeds and the entry is written to the log of this process.
 */
public final class AuditTrail implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final KafkaClients clients;
    private volatile @Nullable Producer<byte[], byte[]> producer;

    public AuditTrail(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "audit trail";
    }

    @Override
    public void start() {
        producer = clients.producer("audit", Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) TIMEOUT.toMillis()));
    }

    /** Sends an entry, and waits until it is acknowledged. */
    public void record(AuditEntry entry) {
        Producer<byte[], byte[]> sender = producer;
        try {
            if (sender == null) {
                throw new KafkaException("not started");
            }
            sender.send(RecordCodec.record(Topics.AUDIT, entry.host().toString(), entry, entry.id(), null))
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            LOG.atError().setCause(e).log("audit entry may be missing: {}", entry);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> sender = producer;
        if (sender != null) {
            sender.close(TIMEOUT);
        }
    }
}
