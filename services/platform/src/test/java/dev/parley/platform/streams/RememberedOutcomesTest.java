package dev.parley.platform.streams;

import static dev.parley.platform.streams.RememberedOutcomes.REMEMBERED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RememberedOutcomesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RecordKey KEY = RecordKey.of("cli:ann");

    private TopologyTestDriver driver;
    private Runnable step = () -> {};
    private KeyedStore store;
    private RememberedOutcomes outcomes;

    @BeforeEach
    void open(@TempDir Path state) {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "outcomes");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        var topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "input");
        topology.addProcessor("holder", Holder::new, "source");
        topology.addStateStore(KeyedStore.builder("store"), "holder");
        driver = new TopologyTestDriver(topology, settings, NOW);
    }

    private final class Holder implements Processor<byte[], byte[], byte[], byte[]> {
        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            store = new KeyedStore(context, "store");
            outcomes = new RememberedOutcomes(store);
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            step.run();
        }
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    @Tag("P14")
    void forgetsOldOutcomesInBatchesAndKeepsRecentOnes() {
        inATask(() -> {
            IntStream.range(0, 50).forEach(i -> remember("old" + i, NOW.minus(REMEMBERED.plusSeconds(1))));
            IntStream.range(0, 50).forEach(i -> remember("new" + i, NOW));
        });

        inATask(() -> IntStream.range(0, 10).forEach(_ -> outcomes.forgetOld(NOW, 20)));

        Instant yesterday = NOW.minus(Duration.ofDays(1)); // when none of them had expired
        assertEquals(List.of(), find("old", yesterday));
        assertEquals(50, find("new", yesterday).size());
    }

    /** Keys of the next kind follow directly: a process name, which is shorter than the timestamp of an outcome. */
    @Test
    void forgettingSkipsKeysOfTheNextKind() {
        inATask(() -> {
            store.putText('p', "one:1");
            remember("a", NOW.minus(REMEMBERED.plusSeconds(1)));
        });

        inATask(() -> outcomes.forgetOld(NOW, 20));

        assertEquals(Optional.of("one:1"), store.text('p'));
        assertEquals(List.of(), find("a", NOW.minus(Duration.ofDays(1))));
    }

    private void inATask(Runnable doing) {
        step = doing;
        driver.createInputTopic("input", new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new byte[0], new byte[0]);
    }

    private void remember(String name, Instant time) {
        outcomes.remember(KEY, Ids.of(name), new Outcome.Refused(KEY, Ids.of(name), "no", "no"), time);
    }

    private List<Outcome> find(String name, Instant time) {
        return IntStream.range(-1, 50)
                .mapToObj(i -> outcomes.find(KEY, Ids.of(i < 0 ? name : name + i), time))
                .flatMap(Optional::stream)
                .toList();
    }
}
