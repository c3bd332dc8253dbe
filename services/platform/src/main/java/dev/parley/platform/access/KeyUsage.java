package dev.parley.platform.access;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.KeyUsed;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes uses of API keys on the topic {@code key-usage}, asynchronously: a killed process may lose those of its
 * last milliseconds.
 */
public final class KeyUsage implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUsage.class);
    private static final Map<String, Object> SETTINGS = Map.of(
            ProducerConfig.LINGER_MS_CONFIG,
            20,
            // never evicted, so that no request waits for metadata
            ProducerConfig.METADATA_MAX_IDLE_CONFIG,
            Duration.ofDays(365).toMillis());

    private final KafkaClients clients;
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile @Nullable Producer<byte[], byte[]> producer;

    public KeyUsage(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "key usage";
    }

    @Override
    public void start() {
        Producer<byte[], byte[]> created = clients.producer("key-usage", SETTINGS);
        producer = created;
        created.partitionsFor(Topics.KEY_USAGE.name()); // fetches metadata before the first request
    }

    /** Counts a request with a key, except sign-ins and tokens of external issuers. */
    public void countUse(AccessKey key) {
        Producer<byte[], byte[]> sender = producer;
        if (sender == null || key.kind() != KeyKind.API_KEY || key.isInstallations() || key.isIssued()) {
            return;
        }
        try {
            var used = new KeyUsed(key.host(), key.id(), Instant.now());
            var _ = sender.send(
                    RecordCodec.record(Topics.KEY_USAGE, key.id().toString(), used, UUID.randomUUID(), null),
                    (_, failure) -> onSent(failure));
        } catch (KafkaException e) {
            onSent(e);
        }
    }

    private void onSent(@Nullable Exception failure) {
        if (failure == null) {
            failing.set(false);
        } else if (!failing.getAndSet(true)) {
            LOG.atWarn().setCause(failure).log("uses of keys are not counted now");
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
            sender.close(Duration.ofSeconds(5));
        }
    }
}
