package dev.parley.memory.bank;

import static dev.parley.platform.kafka.Topics.DEAD_LETTERS;
import static dev.parley.platform.kafka.Topics.EMBED_REQUESTS;
import static dev.parley.platform.kafka.Topics.MEMORY_COMMANDS;
import static dev.parley.platform.kafka.Topics.MEMORY_EVENTS;
import static dev.parley.platform.kafka.Topics.MODEL_REQUESTS;
import static dev.parley.platform.kafka.Topics.OUTCOMES;
import static dev.parley.platform.kafka.Topics.RECALL_REQUESTS;
import static dev.parley.platform.kafka.Topics.RESULTS;

import dev.parley.domain.access.TimeZones;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.ProcessorTopology;
import dev.parley.platform.streams.Sinks;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Topology of the memory service: commands and results in, events and requests out, keyed by bank. The owner of a
 * partition is the single writer of its banks.
 *
 * <p>It is separate from the turn topology because a bank is not a session: turns must not wait for their memories. The
 * events of a bank are also in the state store, so that the bank can be rebuilt wherever its partition moves. A large
 * bank is loaded beside the stream thread: its inputs wait in the store, and the other banks of the partition continue.
 */
public final class MemoryTopology {
    static final String PROCESSOR = "decide-memory";

    private static final List<Topic<?>> SOURCES = List.of(MEMORY_COMMANDS, RESULTS, RECALL_REQUESTS);
    private static final List<Topic<?>> BY_KEY = List.of(MODEL_REQUESTS, EMBED_REQUESTS, MEMORY_COMMANDS, DEAD_LETTERS);

    private MemoryTopology() {}

    /**
     * Builds the topology.
     *
     * @param banks the banks that this process owns
     * @param recalls answers recall requests
     * @param models names of the embedding models
     * @param zones time zones of speakers
     * @param localDispatch in-process call channels to the workers of this process
     * @param meters the registry of the metrics, or null
     */
    public static Topology of(
            Banks banks,
            RecallService recalls,
            Set<String> models,
            TimeZones zones,
            LocalDispatch localDispatch,
            @Nullable MeterRegistry meters) {
        return of(banks, recalls, models, zones, localDispatch, meters, UnaryOperator.identity());
    }

    /** @param wrapper wraps the machine, for tests */
    static Topology of(
            Banks banks,
            RecallService recalls,
            Set<String> models,
            TimeZones zones,
            LocalDispatch localDispatch,
            @Nullable MeterRegistry meters,
            UnaryOperator<DecisionShell.Machine<BankInput>> wrapper) {
        Topology topology = ProcessorTopology.of(
                PROCESSOR,
                SOURCES,
                MemoryStore.NAME,
                () -> new MemoryProcessor(banks, recalls, models, zones, localDispatch, meters, wrapper));
        BY_KEY.forEach(topic -> Sinks.add(topology, topic, null, PROCESSOR));
        Sinks.add(topology, MEMORY_EVENTS, Partitioning::byRecordKey, PROCESSOR);
        Sinks.add(topology, OUTCOMES, Partitioning::byNumber, PROCESSOR);
        return topology;
    }
}
