package dev.parley.platform.dispatch;

import dev.parley.platform.kafka.Topic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * Connects the topologies and workers of a process: which request topics have a worker here, and who waits here for
 * outcomes.
 */
public final class LocalDispatch {
    private final boolean open;
    private final MeterRegistry meters;
    private final DistributionSummary commits;
    private final Map<String, Counter> handedOver = new ConcurrentHashMap<>();
    private final Map<String, Counter> overflow = new ConcurrentHashMap<>();
    private final Map<String, LocalWorker<?>> workers = new ConcurrentHashMap<>();
    private volatile @Nullable LocalOutcomes outcomes;

    private LocalDispatch(boolean open, @Nullable MeterRegistry meters) {
        this.open = open;
        this.meters = meters == null ? new CompositeMeterRegistry() : meters;
        commits = DistributionSummary.builder("parley.dispatch.commit.steps")
                .description("Steps of a task that share a commit")
                .publishPercentiles(0.5, 0.99)
                .register(this.meters);
    }

    /** @param meters where to count, or null */
    public static LocalDispatch open(@Nullable MeterRegistry meters) {
        return new LocalDispatch(true, meters);
    }

    /** One that hands nothing over: all goes by topics. */
    public static LocalDispatch closed() {
        return new LocalDispatch(false, null);
    }

    // ---- workers, and those who wait

    /** A worker of this topic takes calls in memory. */
    public <W> void serve(Topic<W> topic, LocalWorker<W> worker) {
        if (open) {
            workers.put(topic.name(), worker);
        }
    }

    /** A worker takes no more calls in memory. */
    public void leave(Topic<?> topic, LocalWorker<?> worker) {
        workers.remove(topic.name(), worker);
    }

    /** Outcomes that somebody here waits for are told in memory. */
    public void tell(LocalOutcomes waiting) {
        if (open) {
            outcomes = waiting;
        }
    }

    /** Whether any worker here takes calls in memory. */
    public boolean hasWorkers() {
        return !workers.isEmpty();
    }

    // ---- tasks

    /** The dispatch of a task, for its processor's initialisation. @param step makes a step of an answer */
    public TaskDispatch forTask(ProcessorContext<?, ?> context, TaskDispatch.Step step) {
        return new TaskDispatch(this, context, step);
    }

    @SuppressWarnings("unchecked") // a topic's worker takes the topic's values
    <W> @Nullable LocalWorker<W> worker(Topic<? super W> topic) {
        return (LocalWorker<W>) workers.get(topic.name());
    }

    @Nullable
    LocalOutcomes outcomes() {
        return outcomes;
    }

    /** A call was handed over, or found no room. */
    void count(Topic<?> topic, boolean taken) {
        (taken ? handedOver : overflow)
                .computeIfAbsent(topic.name(), name -> counter(taken, name))
                .increment();
    }

    private Counter counter(boolean taken, String topic) {
        return Counter.builder(taken ? "parley.dispatch.local" : "parley.dispatch.overflow")
                .description(
                        taken ? "Calls handed over in memory" : "Calls that found no room here and went by their topic")
                .tag("topic", topic)
                .register(meters);
    }

    /** So many steps of a task were committed together. */
    void committed(int steps) {
        commits.record(steps);
    }
}
