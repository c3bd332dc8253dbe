package dev.parley.memory.bank;

import static dev.parley.platform.kafka.Topics.DEAD_LETTERS;
import static dev.parley.platform.kafka.Topics.EMBED_REQUESTS;
import static dev.parley.platform.kafka.Topics.MEMORY_COMMANDS;
import static dev.parley.platform.kafka.Topics.MEMORY_EVENTS;
import static dev.parley.platform.kafka.Topics.MODEL_REQUESTS;
import static dev.parley.platform.kafka.Topics.OUTCOMES;
import static dev.parley.platform.kafka.Topics.RECALL_REQUESTS;
import static dev.parley.platform.kafka.Topics.RESULTS;

import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.streams.KeyedStore;
import dev.parley.platform.streams.Sinks;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;

/**
 * Commands and results in, events and requests out, keyed by bank: whoever has a partition is the one writer of its banks.
 *
 * <p>It is a topology of its own because a bank is no session: turns must not wait for what is remembered of them. The events of a
 * bank stand in the store, too, so that what it knows can be made anew wherever its partition goes. A large bank is filled beside the
 * thread that decides: what comes for it meanwhile waits in the store, and the other banks of the partition go on.
 */
public final class MemoryTopology {
    static final String PROCESSOR = "decide-memory";

    private static final List<Topic<?>> SOURCES = List.of(MEMORY_COMMANDS, RESULTS, RECALL_REQUESTS);
    private static final List<Topic<?>> BY_KEY = List.of(MODEL_REQUESTS, EMBED_REQUESTS, MEMORY_COMMANDS, DEAD_LETTERS);

    private MemoryTopology() {}

    /**
     * The topology, complete.
     *
     * @param banks where the banks are that this process owns
     * @param recalls who answers questions to them
     * @param models names of those that make vectors
     * @param lanes where workers of this process take calls in memory
     */
    public static Topology of(Banks banks, RecallService recalls, Set<String> models, LocalDispatch lanes) {
        var topology = new Topology();
        for (Topic<?> source : SOURCES) {
            topology.addSource(
                    sourceOf(source), new ByteArrayDeserializer(), new ByteArrayDeserializer(), source.name());
        }
        topology.addProcessor(
                PROCESSOR,
                () -> new MemoryProcessor(banks, recalls, models, lanes),
                SOURCES.stream().map(MemoryTopology::sourceOf).toArray(String[]::new));
        topology.addStateStore(KeyedStore.builder(MemoryStore.NAME), PROCESSOR);
        BY_KEY.forEach(topic -> Sinks.add(topology, topic, null, PROCESSOR));
        Sinks.add(topology, MEMORY_EVENTS, Partitioning::byRecordKey, PROCESSOR);
        Sinks.add(topology, OUTCOMES, Partitioning::byNumber, PROCESSOR);
        return topology;
    }

    private static String sourceOf(Topic<?> topic) {
        return topic.name() + "-source";
    }
}
