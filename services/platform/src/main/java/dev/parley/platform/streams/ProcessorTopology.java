package dev.parley.platform.streams;

import dev.parley.platform.kafka.Topic;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Topologies with one processor and one store. Values are bytes, which the processor deserializes, so that it can
 * dead-letter unreadable records unchanged.
 */
public final class ProcessorTopology {
    private ProcessorTopology() {}

    /**
     * The sources, the processor and its {@link KeyedStore}; the caller adds the sinks.
     *
     * @param name of the processor
     * @param store name of the store
     */
    public static Topology of(
            String name,
            List<Topic<?>> sources,
            String store,
            Supplier<Processor<byte[], byte[], byte[], byte[]>> processor) {
        var topology = new Topology();
        var bytes = new ByteArrayDeserializer();
        sources.forEach(source -> topology.addSource(source(source), bytes, bytes, source.name()));
        topology.addProcessor(
                name,
                new WithStore(KeyedStore.builder(store), processor),
                sources.stream().map(ProcessorTopology::source).toArray(String[]::new));
        return topology;
    }

    private static String source(Topic<?> topic) {
        return topic.name() + "-source";
    }

    private record WithStore(StoreBuilder<?> store, Supplier<Processor<byte[], byte[], byte[], byte[]>> processor)
            implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {
        @Override
        public Processor<byte[], byte[], byte[], byte[]> get() {
            return processor.get();
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(store);
        }
    }
}
