package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Metrics of a worker. */
final class WorkerMeters {
    final Counter taken;
    final Counter late;
    final Counter adopted;
    final Counter progress;
    final Counter deadLetters;
    private final MeterRegistry registry;
    private final String worker;
    private final Map<String, Timer> calls = new ConcurrentHashMap<>();

    WorkerMeters(MeterRegistry registry, String worker) {
        this.registry = registry;
        this.worker = worker;
        taken = counter("parley.worker.taken", "Calls taken up");
        late = counter("parley.worker.dropped.late", "Requests dropped because their lease had lapsed");
        adopted = counter("parley.worker.adopted", "Requests for calls that were in flight here already");
        progress = counter("parley.worker.progress", "Signs of life sent for long calls");
        deadLetters = counter("parley.worker.dead.letters", "Requests that could not be read");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name)
                .description(description)
                .tag("worker", worker)
                .register(registry);
    }

    void inFlight(Supplier<Number> calls, Supplier<Number> bytes) {
        Gauge.builder("parley.worker.in.flight", calls).tag("worker", worker).register(registry);
        Gauge.builder("parley.worker.in.flight.bytes", bytes)
                .tag("worker", worker)
                .register(registry);
    }

    void recordCall(CallResult result, Duration duration) {
        calls.computeIfAbsent(outcome(result), this::timer).record(duration);
    }

    private Timer timer(String outcome) {
        return Timer.builder("parley.worker.calls")
                .description("Calls answered, by outcome, and how long they took")
                .tag("worker", worker)
                .tag("outcome", outcome)
                .publishPercentileHistogram()
                .register(registry);
    }

    private static String outcome(CallResult result) {
        return switch (result) {
            case CallResult.ModelAnswered answer -> answer.finish().name().toLowerCase(Locale.ROOT);
            case CallResult.ModelFailed failure -> failure.category().code();
            case CallResult.ToolAnswered answer -> answer.status().name().toLowerCase(Locale.ROOT);
            case CallResult.Embedded _ -> "embedded";
            case CallResult.Found _ -> "found";
            case CallResult.WorkAnswered answer -> answer.error() == null ? "done" : "failed";
            case CallResult.RetryAfter _ -> "later";
            case CallResult.CallProgress _ -> "progress";
            case CallResult.ChildFinished _ -> "child";
            case CallResult.Settled settled -> settled.outcome().code();
        };
    }
}
