package dev.parley.agents.turn;

import static dev.parley.platform.kafka.Topics.AUDIT;
import static dev.parley.platform.kafka.Topics.DEAD_LETTERS;
import static dev.parley.platform.kafka.Topics.ERASURES;
import static dev.parley.platform.kafka.Topics.MEMORY_COMMANDS;
import static dev.parley.platform.kafka.Topics.MODEL_REQUESTS;
import static dev.parley.platform.kafka.Topics.OUTCOMES;
import static dev.parley.platform.kafka.Topics.REPLIES;
import static dev.parley.platform.kafka.Topics.RESULTS;
import static dev.parley.platform.kafka.Topics.RULE_REQUESTS;
import static dev.parley.platform.kafka.Topics.TOOL_REQUESTS;
import static dev.parley.platform.kafka.Topics.TURN_COMMANDS;
import static dev.parley.platform.kafka.Topics.TURN_DELTAS;
import static dev.parley.platform.kafka.Topics.TURN_EVENTS;

import dev.parley.domain.protocol.TurnInput;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.ProcessorTopology;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The topology that decides turns: commands and results in, events and requests out, with one processor and one store
 * keyed by session.
 *
 * <p>It is a topology of its own because a turn needs exactly-once decisions within milliseconds: it does no I/O, and
 * the steps of a turn share transactions. Values are bytes that the processor reads and writes, so that an unreadable
 * record goes unchanged to {@code dead-letters}.
 *
 * @param dispatch the in-process channel to the workers of this process
 * @param members the processes that run this topology
 * @param tracing records the turns' spans
 * @param meters the registry of the metrics, or null
 */
public record TurnTopology(
        DefinitionCatalogue catalogue,
        LocalDispatch dispatch,
        TopologyMembers members,
        Tracing tracing,
        @Nullable MeterRegistry meters) {
    static final String PROCESSOR = "decide-turn";

    private static final List<Topic<?>> SOURCES = List.of(TURN_COMMANDS, RESULTS);
    private static final List<Topic<?>> SINKS_PARTITIONED_BY_KEY = List.of(
            TURN_COMMANDS,
            MODEL_REQUESTS,
            TOOL_REQUESTS,
            RESULTS,
            REPLIES,
            TURN_DELTAS,
            ERASURES,
            RULE_REQUESTS,
            MEMORY_COMMANDS,
            AUDIT,
            DEAD_LETTERS);

    /** The complete topology. */
    public Topology build() {
        return build(UnaryOperator.identity());
    }

    /** @param wrapper wraps the machine, for tests */
    Topology build(UnaryOperator<DecisionShell.Machine<TurnInput>> wrapper) {
        Topology topology = ProcessorTopology.of(
                PROCESSOR,
                SOURCES,
                TurnStore.NAME,
                () -> new TurnProcessor(catalogue, dispatch, members, tracing, meters, wrapper));
        SINKS_PARTITIONED_BY_KEY.forEach(topic -> Sinks.add(topology, topic, null, PROCESSOR));
        Sinks.add(topology, TURN_EVENTS, Partitioning::byRecordKey, PROCESSOR);
        Sinks.add(topology, OUTCOMES, Partitioning::byNumber, PROCESSOR);
        return topology;
    }
}
