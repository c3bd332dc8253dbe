package dev.parley.memory.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.BankRef;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Saying;
import dev.parley.domain.memory.Vector;
import dev.parley.domain.turn.CallResult;
import dev.parley.domain.turn.CommandMeta;
import dev.parley.domain.turn.Outcome;
import dev.parley.domain.turn.ToolStatus;
import dev.parley.memory.recall.Evidence;
import dev.parley.memory.recall.Hit;
import dev.parley.memory.recall.Question;
import dev.parley.memory.recall.Recall;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTopologyTest {
    private static final UUID HOST = Ids.of("host", "default");
    private static final BankRef ANN = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "ann");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private Indexes indexes;
    private Banks banks;
    private final List<RecallRequest> asked = new ArrayList<>();
    private TopologyTestDriver driver;

    @BeforeEach
    void open() throws IOException {
        indexes = new Indexes(folder, 8);
        banks = new Banks(indexes);
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.resolve("state").toString());
        driver = new TopologyTestDriver(
                MemoryTopology.of(banks, (request, _, _) -> asked.add(request)), settings, START);
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
        indexes.close();
    }

    @Test
    @Tag("M7")
    void whatIsRetainedIsFoundAtOnceByItsWordsAndSoonByItsMeaning() {
        give(retain("I moved to Oslo in May 2025."));

        assertInstanceOf(
                Outcome.Retained.class, read(Topics.OUTCOMES).getFirst().value());
        assertTrue(recalled("Oslo").getFirst().text().contains("moved to Oslo"));

        embed();

        var learned = read(Topics.MEMORY_EVENTS).stream()
                .filter(record -> record.value() instanceof UnitLearned)
                .toList();
        assertEquals(1, learned.size());
        assertTrue(learned.getFirst().key().startsWith(ANN.key() + "#"));
    }

    @Test
    void aBankThatIsTakenOverKnowsWhatItKnewBefore() throws IOException {
        give(retain("I moved to Oslo in May 2025."));
        embed();
        List<String> before = ids(recalled("where did I move?"));
        List<MemoryEvent> log = this.<MemoryEvent>read(Topics.MEMORY_EVENTS).stream()
                .map(Written::value)
                .toList();

        var elsewhere = new Indexes(Files.createDirectory(folder.resolve("elsewhere")), 8);
        try (elsewhere;
                var other = new Shelf(elsewhere, _ -> {})) {
            other.open(ANN.key(), new Shelf.Events() {
                @Override
                public void each(Consumer<MemoryEvent> to) {
                    log.forEach(to);
                }

                @Override
                public MemoryEvent get(long number) {
                    return log.get((int) number - 1);
                }
            });

            assertEquals(before, ids(recalled(other.index(ANN.key()).orElseThrow(), "where did I move?")));
        }
    }

    @Test
    @Tag("M6")
    void whatIsForgottenIsInNoStoreAndNoIndexAndItsRecordsHaveTombstones() {
        var retain = retain("My secret word is xylophone92.");
        give(retain);
        embed();
        List<Written<?>> written = List.copyOf(read(Topics.MEMORY_EVENTS));

        give(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, retain.docId(), null));

        assertEquals(List.of(), recalled("xylophone92"));
        var after = read(Topics.MEMORY_EVENTS);
        var holding = written.stream()
                .filter(record -> String.valueOf(record.value()).contains("xylophone92"))
                .map(Written::key)
                .toList();
        assertFalse(holding.isEmpty());
        for (String key : holding) {
            assertTrue(
                    after.stream().anyMatch(record -> record.key().equals(key) && record.value() == null),
                    () -> key + " has no tombstone");
        }
        try (var rows = driver.getKeyValueStore(MemoryStore.NAME).all()) {
            rows.forEachRemaining(
                    row -> assertFalse(new String((byte[]) row.value, StandardCharsets.UTF_8).contains("xylophone92")));
        }
    }

    @Test
    void aQuestionGoesToWhoeverAnswersItWithTheIndexOfItsBank() {
        give(retain("I own three parrots."));
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), question("which birds?"));

        assertEquals("which birds?", asked.getFirst().query());
    }

    @Test
    void resultsOfSessionsAreNoneOfItsBusiness() {
        pipe(
                Topics.RESULTS,
                "default/test:ann",
                new CallResult.ToolAnswered(Ids.of("call"), 1, ToolStatus.COMPLETED, "x"));

        assertEquals(List.of(), read(Topics.DEAD_LETTERS));
    }

    @Test
    @Tag("M15")
    void whatCannotBeReadIsPutAsideAndTheOthersGoOn() {
        driver.createInputTopic(Topics.MEMORY_COMMANDS.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(bytes(ANN.key().toString()), bytes("no record"));
        give(retain("I own three parrots."));

        assertNotNull(driver.createOutputTopic(
                        Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readValue());
        assertEquals(1, recalled("parrots").size());
    }

    // ---- who stands at its ends

    private static CommandMeta meta() {
        return new CommandMeta(UUID.randomUUID(), HOST, START, "ann", 0, null);
    }

    private static MemoryCommand.Retain retain(String text) {
        return new MemoryCommand.Retain(
                meta(),
                ANN,
                Ids.of("doc", text),
                RecordKey.of("test:ann"),
                Ids.of("turn", text),
                1L,
                List.of(new Saying(Role.USER, "Ann", text)),
                null,
                List.of(),
                START,
                null);
    }

    private static RecallRequest question(String query) {
        return RecallRequest.of(UUID.randomUUID(), ANN, query, 1_000, 0, START.plusSeconds(60));
    }

    private void give(MemoryCommand command) {
        pipe(Topics.MEMORY_COMMANDS, command.bank().key().toString(), command);
    }

    private void embed() {
        for (Written<EmbedRequest> asked : read(Topics.EMBED_REQUESTS)) {
            EmbedRequest request = Objects.requireNonNull(asked.value());
            pipe(
                    Topics.RESULTS,
                    asked.key(),
                    new CallResult.Embedded(
                            request.callId(),
                            request.attempt(),
                            "test",
                            request.texts().stream()
                                    .map(MemoryTopologyTest::meaning)
                                    .toList()));
        }
    }

    private static Vector meaning(String text) {
        var random = new Random(text.hashCode());
        var values = new float[8];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Vector.of(values);
    }

    private <V> void pipe(Topic<V> topic, String key, V value) {
        var headers = new RecordHeaders();
        byte[] body = Wire.write(topic, headers, value);
        driver.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(bytes(key), body, headers, START));
    }

    private record Written<V>(String key, @Nullable V value) {}

    private <V> List<Written<V>> read(Topic<V> topic) {
        var from = driver.createOutputTopic(topic.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        var read = new ArrayList<Written<V>>();
        while (!from.isEmpty()) {
            var record = from.readRecord();
            read.add(new Written<>(
                    new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : Wire.read(topic, record.headers(), record.value())));
        }
        return read;
    }

    private List<Hit> recalled(String words) {
        return recalled(banks.index(ANN.key()).orElseThrow(), words);
    }

    private static List<Hit> recalled(Index index, String words) {
        return new Recall(new Evidence()).run(index, Question.of(words, null)).hits();
    }

    private static List<String> ids(List<Hit> hits) {
        return hits.stream().map(Hit::id).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
