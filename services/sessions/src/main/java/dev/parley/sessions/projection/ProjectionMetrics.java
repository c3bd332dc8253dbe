package dev.parley.sessions.projection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;

final class ProjectionMetrics {
    private final MeterRegistry registry;
    private final Counter projected;
    private final Counter duplicates;
    private final Counter unknownItems;
    private final DistributionSummary batches;

    ProjectionMetrics(MeterRegistry registry) {
        this.registry = registry;
        projected = registry.counter("parley_projected_events");
        duplicates = registry.counter("parley_projected_duplicates");
        unknownItems = registry.counter("parley_projection_unknown_items");
        batches = registry.summary("parley_projection_batch");
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
}
