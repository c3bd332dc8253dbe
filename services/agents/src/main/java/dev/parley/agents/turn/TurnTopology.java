package dev.parley.agents.turn;

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

import dev.parley.platform.definitions.Catalogue;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Commands and results in, events and requests out: one processor and one store, keyed by session.
 *
 * <p>It is a topology of its own because a turn needs exactly-once decisions in few milliseconds: no I/O happens here, and
 * the steps of a turn share transactions. Values travel as bytes; the processor reads and writes them, so that a record which cannot be
 * read goes to {@code dead-letters} as it came.
 */
public final class TurnTopology {
    static final String PROCESSOR = "decide-turn";

    private static final List<Topic<?>> SOURCES = List.of(TURN_COMMANDS, RESULTS);
    private static final List<Topic<?>> BY_KEY = List.of(
            TURN_COMMANDS,
            MODEL_REQUESTS,
            TOOL_REQUESTS,
            RESULTS,
            REPLIES,
            TURN_DELTAS,
            ERASURES,
            RULE_REQUESTS,
            MEMORY_COMMANDS,
            DEAD_LETTERS);

    private final Catalogue catalogue;

    private final LocalDispatch lanes;
    private final TopologyMembers members;
    private final Tracing tracing;
    private final @Nullable MeterRegistry meters;

    /**
     * @param lanes where workers of this process take calls in memory
     * @param members the processes that run this topology
     * @param tracing where the turns' spans go
     * @param meters where to count, or null
     */
    public TurnTopology(
            Catalogue catalogue,
            LocalDispatch lanes,
            TopologyMembers members,
            Tracing tracing,
            @Nullable MeterRegistry meters) {
        this.catalogue = catalogue;
        this.lanes = lanes;
        this.members = members;
        this.tracing = tracing;
        this.meters = meters;
    }

    /** The topology, complete. */
    public Topology build() {
        var topology = new Topology();
        for (Topic<?> source : SOURCES) {
            topology.addSource(
                    source.name() + "-source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), source.name());
        }
        topology.addProcessor(
                PROCESSOR,
                () -> new TurnProcessor(catalogue, lanes, members, tracing, meters),
                SOURCES.stream().map(source -> source.name() + "-source").toArray(String[]::new));
        topology.addStateStore(TurnStore.builder(), PROCESSOR);
        BY_KEY.forEach(topic -> Sinks.add(topology, topic, null, PROCESSOR));
        Sinks.add(topology, TURN_EVENTS, Partitioning::byRecordKey, PROCESSOR);
        Sinks.add(topology, OUTCOMES, Partitioning::byNumber, PROCESSOR);
        return topology;
    }
}
