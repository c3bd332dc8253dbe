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
 * Connects the topologies and workers of a process: the workers by their request topics, and the callers that wait for
 * outcomes.
 */
public final class LocalDispatch {
    private final boolean open;
    private final MeterRegistry meters;
    private final DistributionSummary commits;
    private final Map<String, Counter> handedOver = new ConcurrentHashMap<>();
    private final Map<String, Counter> overflow = new ConcurrentHashMap<>();
    private final Map<String, LocalWorker<?>> workers = new ConcurrentHashMap<>();
    private volatile @Nullable OutcomeWaiters outcomes;

    private LocalDispatch(boolean open, @Nullable MeterRegistry meters) {
        this.open = open;
        this.meters = meters == null ? new CompositeMeterRegistry() : meters;
        commits = DistributionSummary.builder("parley.dispatch.commit.steps")
                .description("Steps of a task that share a commit")
                .publishPercentiles(0.5, 0.99)
                .register(this.meters);
    }

    /** @param meters registry of the metrics, or null */
    public static LocalDispatch open(@Nullable MeterRegistry meters) {
        return new LocalDispatch(true, meters);
    }

    /** A dispatch without in-process calls: all requests go to their topics. */
    public static LocalDispatch closed() {
        return new LocalDispatch(false, null);
    }

    /** Registers a worker that takes requests of a topic in memory. */
    public <W> void serve(Topic<W> topic, LocalWorker<W> worker) {
        if (open) {
            workers.put(topic.name(), worker);
        }
    }

    /** Removes a worker, which takes no more calls. */
    public void leave(Topic<?> topic, LocalWorker<?> worker) {
        workers.remove(topic.name(), worker);
    }

    /** Registers the callers of this process that wait for outcomes. */
    public void register(OutcomeWaiters waiting) {
        if (open) {
            outcomes = waiting;
        }
    }

    /** Whether the process has a worker. */
    public boolean hasWorkers() {
        return !workers.isEmpty();
    }

    /**
     * The dispatch of a task, which its processor creates in {@code init}.
     *
     * @param step processes a result
     */
    public TaskDispatch forTask(ProcessorContext<?, ?> context, TaskDispatch.Step step) {
        return new TaskDispatch(this, context, step);
    }

    @SuppressWarnings("unchecked") // a topic's worker takes the topic's values
    <W> @Nullable LocalWorker<W> worker(Topic<? super W> topic) {
        return (LocalWorker<W>) workers.get(topic.name());
    }

    @Nullable
    OutcomeWaiters outcomes() {
        return outcomes;
    }

    /**
     * Counts a call.
     *
     * @param accepted whether it was handed over; false where no slot was free
     */
    void count(Topic<?> topic, boolean accepted) {
        (accepted ? handedOver : overflow)
                .computeIfAbsent(topic.name(), name -> counter(accepted, name))
                .increment();
    }

    private Counter counter(boolean accepted, String topic) {
        return Counter.builder(accepted ? "parley.dispatch.local" : "parley.dispatch.overflow")
                .description(
                        accepted
                                ? "Calls handed over in memory"
                                : "Calls that found no room here and went by their topic")
                .tag("topic", topic)
                .register(meters);
    }

    /** Records the number of steps that share a commit. */
    void recordCommit(int steps) {
        commits.record(steps);
    }
}
