package dev.parley.workflows.topology;

import static dev.parley.platform.kafka.Topics.AUDIT;
import static dev.parley.platform.kafka.Topics.DEAD_LETTERS;
import static dev.parley.platform.kafka.Topics.OUTCOMES;
import static dev.parley.platform.kafka.Topics.RESULTS;
import static dev.parley.platform.kafka.Topics.TURN_COMMANDS;
import static dev.parley.platform.kafka.Topics.WORKFLOW_COMMANDS;
import static dev.parley.platform.kafka.Topics.WORKFLOW_EVENTS;
import static dev.parley.platform.kafka.Topics.WORKFLOW_REQUESTS;

import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.ProcessorTopology;
import dev.parley.platform.streams.Sinks;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The workflow topology: commands and results in, events and requests out, keyed by process, so that the owner of a
 * partition is the only writer of its processes. Event routers are separate keys of the same topology.
 */
public final class WorkflowTopology {
    static final String PROCESSOR = "decide-workflow";

    private static final List<Topic<?>> SOURCES = List.of(WORKFLOW_COMMANDS, RESULTS);
    private static final List<Topic<?>> BY_KEY =
            List.of(WORKFLOW_COMMANDS, WORKFLOW_REQUESTS, TURN_COMMANDS, RESULTS, AUDIT, DEAD_LETTERS);

    private WorkflowTopology() {}

    /**
     * The topology.
     *
     * @param definitions shared by all partitions
     * @param localDispatch in-process channel of calls
     * @param version of Parley, for {@code $runtime}
     * @param archived whether a project is archived, by its key
     * @param meters the registry of the metrics, or null
     */
    public static Topology of(
            CompiledDefinitions definitions,
            LocalDispatch localDispatch,
            String version,
            Predicate<String> archived,
            @Nullable MeterRegistry meters) {
        return of(definitions, localDispatch, version, archived, meters, UnaryOperator.identity());
    }

    /** @param wrapper wraps the machine, for tests */
    static Topology of(
            CompiledDefinitions definitions,
            LocalDispatch localDispatch,
            String version,
            Predicate<String> archived,
            @Nullable MeterRegistry meters,
            UnaryOperator<DecisionShell.Machine<WorkflowInput>> wrapper) {
        Topology topology = ProcessorTopology.of(
                PROCESSOR,
                SOURCES,
                WorkflowStore.NAME,
                () -> new WorkflowProcessor(definitions, localDispatch, version, archived, meters, wrapper));
        BY_KEY.forEach(topic -> Sinks.add(topology, topic, null, PROCESSOR));
        Sinks.add(topology, WORKFLOW_EVENTS, Partitioning::byRecordKey, PROCESSOR);
        Sinks.add(topology, OUTCOMES, Partitioning::byNumber, PROCESSOR);
        return topology;
    }
}
