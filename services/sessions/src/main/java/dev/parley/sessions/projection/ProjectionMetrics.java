package dev.parley.sessions.projection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** Metrics of the projection. */
final class ProjectionMetrics {
    private final MeterRegistry registry;
    private final Counter projected;
    private final Counter duplicates;
    private final Counter unknownItems;
    private final DistributionSummary batches;
    private final AtomicLong lagRecords = new AtomicLong();
    private final AtomicLong lagMillis = new AtomicLong();

    ProjectionMetrics(MeterRegistry registry) {
        this.registry = registry;
        projected = registry.counter("parley_projected_events");
        duplicates = registry.counter("parley_projected_duplicates");
        unknownItems = registry.counter("parley_projection_unknown_items");
        batches = registry.summary("parley_projection_batch");
        registry.gauge("parley_projection_lag_records", lagRecords);
        registry.gauge("parley_projection_lag_seconds", lagMillis, millis -> millis.get() / 1000.0);
    }

    void recordBatch(ViewStore.Written batch) {
        projected.increment(batch.events());
        duplicates.increment(batch.duplicates());
        unknownItems.increment(batch.unknownItems());
        batches.record(batch.events());
    }

    /** A record was dead-lettered for this reason, a tag value. */
    void countRejected(String reason) {
        registry.counter("parley_projection_rejected", "reason", reason).increment();
    }

    /** Postgres or Kafka failed. */
    void countFailure() {
        registry.counter("parley_projection_failures").increment();
    }

    /** Records behind, and age of the newest projected record. */
    void lag(long records, double seconds) {
        lagRecords.set(records);
        lagMillis.set(Math.round(seconds * 1000));
    }
}
