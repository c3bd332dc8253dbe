package dev.parley.platform.projection;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.service.Recurring;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads each second where the topics of this process's projectors end, and publishes how far their tables are behind.
 * It needs no database, so the figures are right while there is none.
 */
@Singleton
@Requires(beans = {KafkaClients.class, TopicProjector.class})
final class LagReader extends Recurring {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int TIMEOUT_MILLIS = 5_000;

    private final KafkaClients clients;
    private final List<TopicProjector> projectors;
    private @Nullable Admin admin;

    LagReader(KafkaClients clients, List<TopicProjector> projectors, Optional<MeterRegistry> registry) {
        super("projection lag", INTERVAL, "the ends of topics cannot be read");
        this.clients = clients;
        this.projectors = List.copyOf(projectors);
        registry.ifPresent(meters -> projectors.forEach(projector -> {
            Tags tags = Tags.of("projection", projector.name());
            meters.gauge("parley_projection_lag_records", tags, projector, TopicProjector::lagRecords);
            meters.gauge("parley_projection_lag_seconds", tags, projector, TopicProjector::lagSeconds);
        }));
    }

    @Override
    protected void pass() throws InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = projectors.stream()
                .flatMap(projector -> projector.assigned().stream())
                .distinct()
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        if (!latest.isEmpty()) {
            Map<TopicPartition, Long> ends = ends(latest);
            long now = System.nanoTime();
            projectors.forEach(projector -> projector.observe(ends, now));
        }
    }

    private Map<TopicPartition, Long> ends(Map<TopicPartition, OffsetSpec> latest) throws InterruptedException {
        var options = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED).timeoutMs(TIMEOUT_MILLIS);
        try {
            var ends = new HashMap<TopicPartition, Long>();
            admin().listOffsets(latest, options)
                    .all()
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the brokers do not tell where topics end", e);
        }
    }

    private Admin admin() {
        Admin opened = admin == null ? clients.admin("projection-lag") : admin;
        admin = opened;
        return opened;
    }

    @Override
    protected Duration rest(boolean failed) {
        return INTERVAL;
    }

    @Override
    public void close() {
        finish();
        Admin opened = admin;
        if (opened != null) {
            opened.close(Duration.ZERO); // ends what a pass waits for
        }
        super.close();
    }
}
