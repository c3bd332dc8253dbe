package dev.parley.memory.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Search;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.recall.EvidenceReranker;
import dev.parley.memory.recall.LocalRecall;
import dev.parley.memory.recall.Recall;
import dev.parley.memory.recall.RecallExecutor;
import dev.parley.memory.recall.RecallHit;
import dev.parley.memory.recall.RecallQuestion;
import dev.parley.memory.recall.TokenCounter;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.SearchFilter;
import dev.parley.memory.search.TagMatch;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.embedding.HashedWords;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.testkit.FailingMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryTopologyTest {
    private static final UUID HOST = Ids.of("host", "default");
    private static final BankRef ANN = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "ann");
    private static final BankRef KIRI = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "kiri");
    private static final TimeZones ZONES =
            (_, user) -> "kiri".equals(user) ? ZoneId.of("Pacific/Auckland") : TimeZones.UTC;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    /** Evicts all banks every second, and fills those with some events in the background. */
    private static final Banks.Limits TIGHT =
            new Banks.Limits(3, Duration.ofMinutes(1), 5_000, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);

    private final Deque<Runnable> fillings = new ArrayDeque<>();
    private Indexes indexes;
    private Banks banks;
    private final List<RecallRequest> recallRequests = new ArrayList<>();
    private final List<Search> searches = new ArrayList<>();
    private final FailingMachine<BankInput> machine = new FailingMachine<>();
    private TopologyTestDriver driver;

    @BeforeEach
    void open() throws IOException {
        indexes = new Indexes(folder);
        start(new Banks(indexes));
    }

    private void start(Banks banks) {
        this.banks = banks;
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.resolve("state").toString());
        driver = new TopologyTestDriver(
                MemoryTopology.of(
                        banks,
                        new RecordingRecallService(),
                        Set.of("test", "other"),
                        ZONES,
                        LocalDispatch.closed(),
                        null,
                        machine),
                settings,
                START);
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
        indexes.close();
    }

    @Test
    @Tag("M7")
    void retainedTextIsFoundAtOnceByWordsAndLearnedAfterEmbedding() {
        // When
        send(retain("I moved to Oslo in May 2025."));

        // Then
        assertInstanceOf(
                Outcome.Retained.class, read(Topics.OUTCOMES).getFirst().value());
        assertTrue(recalled("Oslo").getFirst().text().contains("moved to Oslo"));

        // When
        embed();

        // Then
        var learned = read(Topics.MEMORY_EVENTS).stream()
                .filter(record -> record.value() instanceof UnitLearned)
                .toList();
        assertEquals(1, learned.size());
        assertTrue(learned.getFirst().key().startsWith(ANN.key() + "#"));
    }

    @Test
    @Tag("M7")
    void openBankAnswersLocallyUnlessTheCallerHasSeenLaterEvents() {
        // Given
        try (var recaller = new RecallExecutor(
                KafkaClients.of("none:1"),
                Embedders.of(new HashedWords()),
                ZONES,
                Clock.fixed(START, ZoneOffset.UTC))) {
            var local = new LocalRecall(banks, recaller);
            assertEquals(Optional.empty(), local.recall(question("Oslo"), 0));
            send(retain("I moved to Oslo in May 2025."));
            embed();
            long last = read(Topics.MEMORY_EVENTS).getLast().value().meta().seq();

            // When
            var answer = local.recall(question("Oslo"), last).orElseThrow().join();

            // Then
            var recalled = assertInstanceOf(Outcome.Recalled.class, answer.outcome());
            assertEquals(last, recalled.known());
            assertTrue(recalled.json().contains("moved to Oslo"));
            assertEquals(TokenCounter.of(recalled.json()), answer.tokens().orElseThrow());
            assertEquals(Optional.empty(), local.recall(question("Oslo"), last + 1));
        }
    }

    @Test
    @Tag("B150")
    void yesterdayIsThatOfWhoSpeaksAndOfWhoAsks() {
        // Given
        var morning = Instant.parse("2026-03-01T20:00:00Z"); // 2 March, 9:00 in Auckland
        var clock = Clock.fixed(morning.plusSeconds(3600), ZoneOffset.UTC);
        try (var recaller =
                new RecallExecutor(KafkaClients.of("none:1"), Embedders.of(new HashedWords()), ZONES, clock)) {
            send(retain(KIRI, "I met Ana yesterday.", morning));
            send(retain(KIRI, "I met Bob on 28 February 2026.", morning));

            // When
            embed();
            var question = RecallRequest.of(
                    UUID.randomUUID(),
                    KIRI,
                    null,
                    "what happened yesterday?",
                    1_000,
                    0,
                    clock.instant().plusSeconds(60));
            var answer = new LocalRecall(banks, recaller)
                    .recall(question, 0)
                    .orElseThrow()
                    .join();

            // Then
            TimeSpan day = read(Topics.MEMORY_EVENTS).stream()
                    .filter(record -> record.value() instanceof UnitLearned learned
                            && learned.unit().text().contains("Ana"))
                    .map(record -> ((UnitLearned) Objects.requireNonNull(record.value()))
                            .unit()
                            .occurred())
                    .findFirst()
                    .orElseThrow();
            assertEquals(Instant.parse("2026-02-28T11:00:00Z"), day.from()); // 1 March, 0:00 in Auckland
            assertEquals(Instant.parse("2026-03-01T10:59:59.999Z"), day.to());
            String json =
                    assertInstanceOf(Outcome.Recalled.class, answer.outcome()).json();
            List<String> dated = Stream.of(json.split("\\{\"id\""))
                    .filter(memory -> memory.contains("\"temporal\"") && memory.contains("\"unit\""))
                    .toList();
            assertEquals(1, dated.size(), json);
            assertTrue(dated.getFirst().contains("Ana"), json);
        }
    }

    @Test
    void takeoverRestoresTheIndex() throws IOException {
        send(retain("I moved to Oslo in May 2025."));
        embed();
        List<String> before = ids(recalled("where did I move?"));

        afterTakeover(index -> assertEquals(before, ids(recalled(index, "where did I move?"))));
    }

    /** Runs a check on the index that another process fills with the events that are not erased. */
    private void afterTakeover(Consumer<Index> check) throws IOException {
        var log = new TreeMap<Long, MemoryEvent>();
        for (OutputRecord<MemoryEvent> record : read(Topics.MEMORY_EVENTS)) {
            long number = Long.parseLong(record.key().substring(record.key().indexOf('#') + 1));
            if (record.value() == null) {
                log.remove(number);
            } else {
                log.put(number, record.value());
            }
        }
        var elsewhere = new Indexes(Files.createDirectory(folder.resolve("elsewhere")));
        try (elsewhere;
                var other = new Banks(elsewhere).forPartition()) {
            other.open(ANN.key(), log.lastKey(), new PartitionBanks.Events() {
                @Override
                public void each(long from, long to, Consumer<MemoryEvent> consumer) {
                    log.subMap(from, to).values().forEach(consumer);
                }

                @Override
                public MemoryEvent get(long number) {
                    return Objects.requireNonNull(log.get(number));
                }
            });
            check.accept(other.index(ANN.key()).orElseThrow());
        }
    }

    @Test
    @Tag("M6")
    void forgetErasesStoreAndIndexAndWritesTombstones() {
        // Given
        var retain = retain("My secret word is xylophone92.");
        send(retain);
        embed();
        List<OutputRecord<?>> before = List.copyOf(read(Topics.MEMORY_EVENTS));

        // When
        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, retain.docId(), null));

        // Then
        assertEquals(List.of(), recalled("xylophone92"));
        var after = read(Topics.MEMORY_EVENTS);
        var holding = before.stream()
                .filter(record -> String.valueOf(record.value()).contains("xylophone92"))
                .map(OutputRecord::key)
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
    @Tag("M4")
    @Tag("M6")
    void forgottenBankRejectsEarlierCommands() {
        send(retain("I like green tea."));
        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.BANK, null, null));
        read(Topics.OUTCOMES);

        send(retain("My secret word is xylophone92."));

        assertEquals(
                "erased", ((Outcome.Refused) read(Topics.OUTCOMES).getFirst().value()).code());
        assertEquals(List.of(), recalled("xylophone92"));
    }

    @Test
    @Tag("M6")
    void erasesAForgottenBankAfterTheCommandNewestEventsFirst() {
        // Given
        driver.close();
        start(new Banks(
                indexes,
                new Banks.Limits(
                        1_000, Duration.ofMinutes(1), 2, Long.MAX_VALUE, Duration.ofHours(1), Duration.ofHours(1)),
                fillings::add));
        send(retain("My secret word is xylophone92."));
        embed();
        send(retain("I like green tea, says my xylophone92."));
        embed();
        List<String> holding = read(Topics.MEMORY_EVENTS).stream()
                .filter(record -> String.valueOf(record.value()).contains("xylophone92"))
                .map(OutputRecord::key)
                .toList();

        // When
        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.BANK, null, null));

        // Then
        assertEquals(List.of(), recalled("xylophone92"));
        assertInstanceOf(Outcome.Accepted.class, read(Topics.OUTCOMES).getLast().value());
        assertEquals(List.of(), erased(), "nothing in the transaction that forgets it");

        // When
        driver.advanceWallClockTime(Duration.ofMillis(500));

        // Then
        List<String> erased = erased();
        assertTrue(erased.containsAll(holding), () -> holding + " and " + erased);
        List<Integer> numbers = erased.stream()
                .map(key -> Integer.parseInt(key.substring(key.indexOf('#') + 1)))
                .toList();
        assertEquals(numbers.stream().sorted().toList().reversed(), numbers);
        try (var rows = driver.getKeyValueStore(MemoryStore.NAME).all()) {
            rows.forEachRemaining(
                    row -> assertFalse(new String((byte[]) row.value, StandardCharsets.UTF_8).contains("xylophone92")));
        }
    }

    /** The keys of events with new tombstones. */
    private List<String> erased() {
        return read(Topics.MEMORY_EVENTS).stream()
                .filter(record -> record.value() == null)
                .map(OutputRecord::key)
                .toList();
    }

    @Test
    void passesARecallRequestToTheRecallService() {
        send(retain("I own three parrots."));
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), question("which birds?"));

        assertEquals("which birds?", recallRequests.getFirst().query());
    }

    @Test
    @Tag("M13")
    void findsCurrentAndPastVersionsOfAnObservation() throws IOException {
        send(retain("I live in Oslo."));
        embed();
        driver.advanceWallClockTime(Duration.ofHours(1));
        send(retain("I still live in Oslo."));
        embed();
        Item observation = only(found(FactType.OBSERVATION, "I live", null));
        assertEquals(2, observation.proofCount());
        Instant earlier = START.plus(Duration.ofMinutes(90));

        driver.advanceWallClockTime(Duration.ofHours(1));
        send(retain("And I live in Oslo now."));
        embed(); // a version at a later time
        assertEquals(3, only(found(FactType.OBSERVATION, "I live", null)).proofCount());
        send(retain("I just live in Oslo."));
        embed(); // and one at the same time
        assertEquals(4, only(found(FactType.OBSERVATION, "I live", null)).proofCount());
        assertEquals(2, only(found(FactType.OBSERVATION, "I live", earlier)).proofCount());

        driver.advanceWallClockTime(Duration.ofHours(1));
        send(retain("I live in Bergen.", START.plus(Duration.ofHours(3))));
        embed();

        assertEquals(List.of(), found(FactType.OBSERVATION, "I live", null));
        assertTrue(only(found(FactType.WORLD, "I live", null)).text().contains("Bergen"));
        assertEquals(
                observation.id(),
                only(found(FactType.OBSERVATION, "I live", earlier)).id());
        Instant justBefore = START.plus(Duration.ofMinutes(150));
        assertEquals(4, only(found(FactType.OBSERVATION, "I live", justBefore)).proofCount());
        assertEquals(4, found(FactType.WORLD, "I live", justBefore).size());
        assertEquals(List.of(), read(Topics.DEAD_LETTERS));

        List<Item> before = found(FactType.OBSERVATION, "I live", earlier);
        afterTakeover(index -> assertEquals(before, found(index, FactType.OBSERVATION, "I live", earlier)));
    }

    private static Item only(List<Item> hits) {
        assertEquals(1, hits.size(), hits::toString);
        return hits.getFirst();
    }

    /** Units of a type, found by vector only. */
    private List<Item> found(FactType type, String query, @Nullable Instant asOf) {
        return found(banks.index(ANN.key()).orElseThrow(), type, query, asOf);
    }

    /** Units of a type, found by vectors of the searched generation. */
    private static List<Item> found(Index index, FactType type, String query, @Nullable Instant asOf) {
        var filter = new SearchFilter(
                Set.of(ItemKind.UNIT), Set.of(type), Set.of(), TagMatch.ANY, null, asOf, null, Set.of());
        String generation = index.generation(asOf).orElseThrow();
        var embedding = new Embedding(generation, meaning(generation, query).values());
        return index.read(
                filter,
                view -> view.nearest(embedding, 0.9, 10).stream()
                        .map(found -> view.item(found.row()))
                        .toList());
    }

    @Test
    @Tag("M6")
    @Tag("M16")
    void rebuildsAnObservationWhenOneOfItsFactsIsForgotten() throws IOException {
        // Given
        var secret = retain("I really like green tea, says my xylophone.");
        for (var retain : List.of(secret, retain("I like green tea."), retain("I still like green tea."))) {
            send(retain);
            embed();
        }
        assertEquals(3, only(found(FactType.OBSERVATION, "tea", null)).proofCount());

        // When
        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, secret.docId(), null));

        // Then
        assertEquals(2, only(found(FactType.OBSERVATION, "tea", null)).proofCount());
        assertEquals(2, found(FactType.WORLD, "tea", null).size());
        assertEquals(List.of(), recalled("xylophone"));
        try (var rows = driver.getKeyValueStore(MemoryStore.NAME).all()) {
            rows.forEachRemaining(
                    row -> assertFalse(new String((byte[]) row.value, StandardCharsets.UTF_8).contains("xylophone")));
        }
        List<Item> before = found(FactType.OBSERVATION, "tea", null);

        afterTakeover(index -> assertEquals(before, found(index, FactType.OBSERVATION, "tea", null)));
    }

    @Test
    @Tag("M35")
    void answersByVectorThroughoutAReembeddingAndBack() throws IOException {
        var secret = retain("I really like green tea, says my xylophone.");
        for (var retain : List.of(secret, retain("I like green tea."), retain("I live in Oslo."))) {
            send(retain);
            embed();
        }
        driver.advanceWallClockTime(Duration.ofHours(1));
        Instant earlier = START.plus(Duration.ofMinutes(30));
        Runnable assertAnswers = () -> {
            assertEquals(2, only(found(FactType.OBSERVATION, "tea", null)).proofCount());
            assertEquals(2, found(FactType.WORLD, "tea", null).size());
            assertEquals(1, found(FactType.WORLD, "I live", null).size());
            assertEquals(2, found(FactType.WORLD, "tea", earlier).size());
        };
        assertAnswers.run();

        send(new MemoryCommand.Reembed(meta(), ANN, "other"));
        assertAnswers.run();
        driver.advanceWallClockTime(Duration.ofSeconds(1)); // vectors are requested
        assertAnswers.run();
        afterTakeover(index -> assertEquals(Optional.of("test"), index.generation(null)));
        embed();
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        assertEquals(Optional.of("other"), banks.index(ANN.key()).orElseThrow().generation(null));
        assertEquals(Optional.of("test"), banks.index(ANN.key()).orElseThrow().generation(earlier));
        assertAnswers.run();

        send(new MemoryCommand.DropGeneration(meta(), ANN));
        assertEquals(Optional.of("other"), banks.index(ANN.key()).orElseThrow().generation(earlier));
        assertAnswers.run();
        send(new MemoryCommand.Reembed(meta(), ANN, "test"));
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        embed();
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        assertEquals(Optional.of("test"), banks.index(ANN.key()).orElseThrow().generation(null));
        assertAnswers.run();

        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, secret.docId(), null));
        assertEquals(1, found(FactType.WORLD, "tea", null).size());
        assertEquals(List.of(), found(FactType.OBSERVATION, "tea", null));
        assertEquals(List.of(), read(Topics.DEAD_LETTERS));
    }

    @Test
    @Tag("M35")
    void takeoverContinuesAReembedding() throws IOException {
        // Given
        for (var retain : List.of(retain("I like green tea."), retain("I live in Oslo."))) {
            send(retain);
            embed();
        }
        send(new MemoryCommand.Reembed(meta(), ANN, "other"));
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        embed();
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        send(retain("I moved to Rome in May 2025.")); // the former generation is no longer searched, but still written
        embed();
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        embed();

        // Then
        List<Item> before = found(FactType.WORLD, "tea", null);

        afterTakeover(index -> {
            assertEquals(before, found(index, FactType.WORLD, "tea", null));
            for (String generation : List.of("test", "other")) {
                var embedding =
                        new Embedding(generation, meaning(generation, "tea").values());
                assertEquals(
                        3,
                        index.read(units(null), view -> view.nearest(embedding, -1, 10))
                                .size(),
                        generation);
            }
        });
    }

    @Test
    @Tag("M36")
    @Tag("M6")
    void branchAnswersLikeABankAndLosesTextsErasedInTheBank() throws IOException {
        var secret = retain("I like green tea, says my xylophone.");
        for (var retain : List.of(secret, retain("I live in Oslo."))) {
            send(retain);
            embed();
        }
        driver.advanceWallClockTime(Duration.ofHours(1));
        send(new MemoryCommand.Branch(meta(), ANN, "what-if", START.plus(Duration.ofMinutes(1)), null));
        send(retain("I own three parrots."));
        driver.advanceWallClockTime(Duration.ofSeconds(1));

        RecordKey key = ANN.branch("what-if").key();
        assertTrue(driver.getKeyValueStore(MemoryStore.NAME).approximateNumEntries() > 0);
        pipe(
                Topics.RECALL_REQUESTS,
                key.toString(),
                RecallRequest.of(
                        UUID.randomUUID(),
                        ANN.branch("what-if"),
                        null,
                        "tea",
                        1_000,
                        0,
                        START.plus(Duration.ofDays(1))));
        Index branch = banks.index(key).orElseThrow();
        assertEquals(1, found(branch, FactType.WORLD, "tea", null).size());
        assertEquals(
                1,
                recalled(branch, "xylophone").stream()
                        .filter(hit -> hit.kind() == ItemKind.TURN)
                        .count());
        assertEquals(List.of(), recalled(branch, "parrots"));

        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, secret.docId(), null));

        assertEquals(List.of(), recalled(branch, "xylophone"));
        try (var rows = driver.getKeyValueStore(MemoryStore.NAME).all()) {
            rows.forEachRemaining(
                    row -> assertFalse(new String((byte[]) row.value, StandardCharsets.UTF_8).contains("xylophone")));
        }
        assertEquals(List.of(), read(Topics.DEAD_LETTERS));
    }

    private static SearchFilter units(@Nullable Instant asOf) {
        return new SearchFilter(
                Set.of(ItemKind.UNIT), Set.of(FactType.WORLD), Set.of(), TagMatch.ANY, null, asOf, null, Set.of());
    }

    @Test
    void expiredRecallRequestOpensNoBank() {
        var expired = RecallRequest.of(UUID.randomUUID(), ANN, null, "which birds?", 1_000, 0, START.minusSeconds(1));
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), expired);

        assertEquals(List.of(), recallRequests);
        assertTrue(banks.index(ANN.key()).isEmpty());
    }

    @Test
    void recallRequestDoesNotCreateAnUnknownBank() {
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), question("which birds?"));

        assertEquals(1, recallRequests.size());
        assertTrue(banks.index(ANN.key()).isEmpty());
    }

    @Test
    @Tag("M34")
    void inputsOfALargeBankWaitInOrderWhileItIsFilled() {
        // Given
        driver.close();
        start(new Banks(indexes, TIGHT, fillings::add));
        send(retain("I own three parrots."));
        embed();
        send(retain("I own a boat."));
        embed();
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        assertTrue(banks.index(ANN.key()).isEmpty());
        read(Topics.OUTCOMES);

        // When
        var forgotten = retain("I own a secret yacht.");
        send(forgotten);
        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, forgotten.docId(), null));
        var wrong = new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, Ids.of("no"), null);
        send(wrong);
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), question("which birds?"));
        driver.advanceWallClockTime(Duration.ofMillis(500));

        // Then
        assertEquals(List.of(), read(Topics.OUTCOMES));

        // When
        var bob = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "bob");
        pipe(
                Topics.RECALL_REQUESTS,
                bob.key().toString(),
                RecallRequest.of(UUID.randomUUID(), bob, null, "boats?", 1_000, 0, START.plusSeconds(60)));

        // Then
        assertEquals(
                List.of("boats?"),
                recallRequests.stream().map(RecallRequest::query).toList());

        // When
        fillings.remove().run();
        assertTrue(fillings.isEmpty());
        driver.advanceWallClockTime(Duration.ofMillis(250));

        // Then
        var outcomes = read(Topics.OUTCOMES).stream().map(OutputRecord::value).toList();
        assertInstanceOf(Outcome.Retained.class, outcomes.getFirst());
        assertInstanceOf(Outcome.Accepted.class, outcomes.get(1));
        assertInstanceOf(Outcome.Refused.class, outcomes.get(2));
        var receipts = read(Topics.MEMORY_EVENTS).stream()
                .filter(record -> record.value() instanceof MemoryEvent.Forgotten)
                .map(record -> (MemoryEvent.Forgotten) Objects.requireNonNull(record.value()))
                .toList();
        assertEquals(wrong.meta().commandId(), receipts.getLast().erasure(), "whoever asks for a receipt gets one");
        assertEquals(List.of(), receipts.getLast().documents());
        assertEquals(
                List.of("boats?", "which birds?"),
                recallRequests.stream().map(RecallRequest::query).toList());
        assertFalse(recalled("parrots").isEmpty());
        assertFalse(recalled("boat").isEmpty());
        assertEquals(List.of(), recalled("yacht"));
        assertEquals(List.of(), read(Topics.DEAD_LETTERS));
    }

    @Test
    @Tag("M33")
    void recallRequestTimesOutIfTheBankIsNotReady() {
        // Given
        driver.close();
        start(new Banks(indexes, TIGHT, fillings::add));
        send(retain("I own three parrots."));
        embed();
        send(retain("I own a boat."));
        embed();
        driver.advanceWallClockTime(Duration.ofSeconds(1));
        read(Topics.OUTCOMES);

        // When
        var question = RecallRequest.of(
                UUID.randomUUID(),
                ANN,
                null,
                "which birds?",
                1_000,
                0,
                START.plusSeconds(1).plusSeconds(2));
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), question);

        driver.advanceWallClockTime(Duration.ofMillis(1_750));

        // Then
        assertEquals(
                RecallService.notReady(question),
                read(Topics.OUTCOMES).getFirst().value());

        // When
        fillings.remove().run();
        driver.advanceWallClockTime(Duration.ofMillis(250));

        // Then
        assertEquals(List.of(), recallRequests);
    }

    @Test
    void ignoresResultsOfSessions() {
        pipe(
                Topics.RESULTS,
                "default/test:ann",
                new CallResult.ToolAnswered(Ids.of("call"), 1, ToolStatus.COMPLETED, "x"));

        assertEquals(List.of(), read(Topics.DEAD_LETTERS));
    }

    @Test
    @Tag("M15")
    void sendsUnreadableRecordsToDeadLettersAndContinues() {
        driver.createInputTopic(Topics.MEMORY_COMMANDS.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(bytes(ANN.key().toString()), bytes("no record"));
        send(retain("I own three parrots."));

        assertNotNull(driver.createOutputTopic(
                        Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readValue());
        assertEquals(1, recalled("parrots").size());
    }

    // ---- reflections

    @Test
    @Tag("M29")
    @Tag("M6")
    void reflectionIsFoundLaterAndForgottenWithItsSources() throws IOException {
        // Given
        var secret = retain("My xylophone stands in the cellar.");
        send(secret);
        embed();

        // When
        UUID command = reflect("Where does my xylophone stand?");
        assertEquals(1, searches.size());
        search();
        embed();

        // Then
        var conclusion = concluded(command);
        assertTrue(conclusion.answer().contains("cellar"), conclusion.answer());
        assertEquals(1, conclusion.basedOn().size());
        RecallHit first = recalled("Where does my xylophone stand?").getFirst();
        assertEquals(ItemKind.REFLECTION, first.kind());
        assertEquals(conclusion.reflection().toString(), first.id());

        // When
        send(new MemoryCommand.Reembed(meta(), ANN, "other"));
        for (int i = 0; i < 3; i++) {
            driver.advanceWallClockTime(Duration.ofSeconds(1));
            embed();
        }

        // Then
        Consumer<Index> isFound = index -> {
            assertEquals(Optional.of("other"), index.generation(null));
            var vector = meaning("other", "Where does my xylophone stand?\n" + conclusion.answer());
            var filter = new SearchFilter(
                    Set.of(ItemKind.REFLECTION), Set.of(), Set.of(), TagMatch.ANY, null, null, null, Set.of());
            assertEquals(
                    List.of(first.id()),
                    index.read(
                            filter,
                            view -> view.nearest(new Embedding("other", vector.values()), 0.9, 10).stream()
                                    .map(found -> view.item(found.row()).id())
                                    .toList()));
            assertEquals(
                    first.id(),
                    recalled(index, "Where does my xylophone stand?").getFirst().id());
        };
        isFound.accept(banks.index(ANN.key()).orElseThrow());
        afterTakeover(isFound);

        // When
        send(new MemoryCommand.Forget(meta(), ANN, MemoryCommand.Forget.What.DOCUMENT, secret.docId(), null));

        // Then
        assertEquals(List.of(), recalled("xylophone"));
        assertEquals(List.of(), read(Topics.DEAD_LETTERS));
        try (var rows = driver.getKeyValueStore(MemoryStore.NAME).all()) {
            rows.forEachRemaining(
                    row -> assertFalse(new String((byte[]) row.value, StandardCharsets.UTF_8).contains("cellar")));
        }
    }

    @Test
    @Tag("M14")
    void refreshesAMentalModelAndFindsItsCurrentAndPastVersions() throws IOException {
        // Given
        send(retain("I live in Oslo."));
        embed();
        var model = new MentalModel(Ids.of("m"), "home", "Where do I live?", List.of(), MentalModel.DEFAULT_INTERVAL);
        send(new MemoryCommand.SetMentalModel(meta(), ANN, model));

        // When
        driver.advanceWallClockTime(Duration.ofMillis(500));
        search();
        embed();

        // Then
        Item first = only(found(FactType.MENTAL_MODEL, "I live", null));
        assertTrue(first.text().contains("Oslo"));

        // When
        driver.advanceWallClockTime(Duration.ofHours(1));
        send(retain("I live in Bergen.", START.plus(Duration.ofHours(1))));
        embed();
        driver.advanceWallClockTime(Duration.ofMillis(500));
        search();
        embed();

        // Then
        Item second = only(found(FactType.MENTAL_MODEL, "I live", null));
        assertTrue(second.text().contains("Bergen"), second.text());
        Instant earlier = START.plus(Duration.ofMinutes(30));
        assertTrue(only(found(FactType.MENTAL_MODEL, "I live", earlier)).text().contains("Oslo"));
        afterTakeover(index -> assertEquals(second, only(found(index, FactType.MENTAL_MODEL, "I live", null))));
    }

    @Test
    void repeatsAnUnansweredSearch() {
        send(retain("I live in Oslo."));
        embed();
        reflect("Where do I live?");
        searches.clear(); // its process has died

        driver.advanceWallClockTime(Duration.ofSeconds(6));

        assertEquals(2, searches.getFirst().attempt());
    }

    private UUID reflect(String question) {
        var meta = meta();
        send(new MemoryCommand.Reflect(meta, ANN, question, null, null, List.of(), List.of(), 1_000, null));
        return meta.commandId();
    }

    private Outcome.Concluded concluded(UUID command) {
        return read(Topics.OUTCOMES).stream()
                .map(OutputRecord::value)
                .filter(outcome -> outcome instanceof Outcome.Concluded concluded
                        && concluded.commandId().equals(command))
                .map(Outcome.Concluded.class::cast)
                .findFirst()
                .orElseThrow();
    }

    /** Answers the internal searches of the bank, as the recall service does. */
    private void search() {
        for (Search search : List.copyOf(searches)) {
            var sightings = new LinkedHashMap<String, Sighting>();
            for (Search.Query query : search.queries()) {
                var kinds = query.kinds().stream()
                        .flatMap(kind -> Coded.of(ItemKind.class, kind).stream())
                        .collect(Collectors.toSet());
                var filter = new SearchFilter(
                        kinds,
                        Set.copyOf(query.types()),
                        Set.copyOf(query.tags()),
                        TagMatch.ANY,
                        null,
                        null,
                        null,
                        Set.of());
                Index index = banks.index(ANN.key()).orElseThrow();
                new Recall(new EvidenceReranker())
                        .findHits(index, RecallQuestion.of(query.text(), null).within(filter)).stream()
                                .limit(query.limit())
                                .forEach(hit -> sightings.putIfAbsent(hit.id(), new Sighting(hit.id(), hit.score())));
            }
            pipe(
                    Topics.RESULTS,
                    ANN.key().toString(),
                    new CallResult.Found(search.callId(), search.attempt(), List.copyOf(sightings.values())));
        }
        searches.clear();
    }

    // ---- machines that fail

    static IntStream failures() {
        return IntStream.range(0, FailingMachine.FAILURES.size());
    }

    private Map<Bytes, String> rows() {
        var rows = new TreeMap<Bytes, String>();
        try (var all = driver.<Bytes, byte[]>getKeyValueStore(MemoryStore.NAME).all()) {
            all.forEachRemaining(row -> rows.put(row.key, Arrays.toString(row.value)));
        }
        return rows;
    }

    private void assertLetter(Supplier<Throwable> failure, String topic) {
        TestRecord<byte[], byte[]> letter = driver.createOutputTopic(
                        Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecord();
        assertEquals(failure.get().getClass().getName(), RecordSerde.header(letter.headers(), DeadLetters.ERROR));
        assertEquals(topic, RecordSerde.header(letter.headers(), DeadLetters.TOPIC));
    }

    private static Predicate<BankInput> input(Class<?> type) {
        return input -> input instanceof BankInput.Decide(MemoryInput decide, boolean _) && type.isInstance(decide);
    }

    private void assertRefused() {
        assertEquals(
                "internal_error",
                assertInstanceOf(
                                Outcome.Refused.class,
                                read(Topics.OUTCOMES).getFirst().value())
                        .code());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void commandOnWhichTheMachineFailsChangesNothingAndIsDecidedWhenSentAgain(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        Map<?, String> before = rows();
        machine.failOn(input(MemoryCommand.class), failure, 1);
        MemoryCommand.Retain retain = retain("I moved to Oslo.");

        // When
        send(retain);

        // Then
        assertEquals(before, rows());
        assertEquals(List.of(), read(Topics.MEMORY_EVENTS));
        assertRefused();
        assertLetter(failure, "memory-commands");

        // When its dead letter is re-driven, after the bank was loaded anew
        send(retain);
        embed();

        // Then
        assertInstanceOf(
                Outcome.Retained.class, read(Topics.OUTCOMES).getFirst().value());
        assertTrue(recalled("Oslo").getFirst().text().contains("Oslo"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void resultOnWhichTheMachineFailsEndsItsJobAndTheBankGoesOn(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        boolean always = new Random(number).nextBoolean(); // also as an unusable result
        send(retain("I moved to Oslo."));
        machine.failOn(
                input(MemoryInput.Answered.class).or(input(MemoryInput.Unusable.class)), failure, always ? 2 : 1);

        // When
        embed();

        // Then the job is not tried again
        assertEquals(always ? 2 : 1, machine.failed().size());
        assertLetter(failure, "results");
        driver.advanceWallClockTime(Duration.ofMinutes(5));
        assertEquals(List.of(), read(Topics.EMBED_REQUESTS));
        send(retain("I bought a boat."));
        embed();
        assertTrue(recalled("boat").getFirst().text().contains("boat"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void recallOnWhichTheBankFailsIsRefused(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        send(retain("I moved to Oslo."));
        read(Topics.OUTCOMES);
        machine.failOn(BankInput.Recall.class::isInstance, failure, 1);

        // When
        pipe(Topics.RECALL_REQUESTS, ANN.key().toString(), question("where?"));

        // Then
        assertEquals(List.of(), recallRequests);
        assertRefused();
        assertLetter(failure, "recall-requests");
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B82")
    void timerOnWhichTheMachineFailsIsTriedAgainAndElseEndsItsJob(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        boolean always = new Random(number).nextBoolean();
        send(retain("I moved to Oslo."));
        read(Topics.EMBED_REQUESTS); // its worker dies
        machine.failOn(input(MemoryInput.Tick.class), failure, always ? 10 : 3);

        // When
        for (int i = 0; i < 100; i++) {
            driver.advanceWallClockTime(Duration.ofSeconds(15));
        }

        // Then
        assertEquals(always ? 10 : 3, machine.failed().size());
        assertEquals(always, read(Topics.EMBED_REQUESTS).isEmpty());
        send(retain("I bought a boat."));
        embed();
        assertTrue(recalled("boat").getFirst().text().contains("boat"));
    }

    // ---- inputs and outputs

    /** Records external requests, and internal searches for an answer on demand. */
    private final class RecordingRecallService implements RecallService {
        @Override
        public void submit(RecallRequest request, Index index, long lastSeq, List<Directive> directives) {
            recallRequests.add(request);
        }

        @Override
        public void submit(Search search, Index index) {
            searches.add(search);
        }
    }

    private static CommandMeta meta() {
        return meta(ANN);
    }

    private static CommandMeta meta(BankRef bank) {
        return new CommandMeta(UUID.randomUUID(), HOST, START, bank.user(), 0, null);
    }

    private static MemoryCommand.Retain retain(String text) {
        return retain(text, START);
    }

    private static MemoryCommand.Retain retain(String text, Instant time) {
        return retain(ANN, text, time);
    }

    private static MemoryCommand.Retain retain(BankRef bank, String text, Instant time) {
        return new MemoryCommand.Retain(
                meta(bank),
                bank,
                Ids.of("doc", text),
                RecordKey.of("test:ann"),
                Ids.of("turn", text),
                1L,
                List.of(new Utterance(Role.USER, "Ann", text)),
                null,
                List.of(),
                time,
                null);
    }

    private static RecallRequest question(String query) {
        return RecallRequest.of(UUID.randomUUID(), ANN, null, query, 1_000, 0, START.plusSeconds(60));
    }

    private void send(MemoryCommand command) {
        pipe(Topics.MEMORY_COMMANDS, command.bank().key().toString(), command);
    }

    private void embed() {
        for (OutputRecord<EmbedRequest> record : read(Topics.EMBED_REQUESTS)) {
            EmbedRequest request = Objects.requireNonNull(record.value());
            pipe(
                    Topics.RESULTS,
                    record.key(),
                    new CallResult.Embedded(
                            request.callId(),
                            request.attempt(),
                            generation(request),
                            request.texts().stream()
                                    .map(text -> meaning(generation(request), text))
                                    .toList()));
        }
    }

    private static String generation(EmbedRequest request) {
        return request.generation() == null ? "test" : request.generation();
    }

    /** The vectors of the other model are longer. */
    private static Vector meaning(String generation, String text) {
        float[] values = meaning(text).values();
        return Vector.of(generation.equals("test") ? values : Arrays.copyOf(values, 12));
    }

    /** Texts about tea, or about where someone lives, have close vectors; others do not. */
    private static Vector meaning(String text) {
        if (text.contains("I") && text.contains("live") || text.contains("tea")) {
            return text.contains("tea") ? Vector.of(1, 0, 0, 0, 0, 0, 0, 0) : Vector.of(0, 1, 0, 0, 0, 0, 0, 0);
        }
        var random = new Random(text.hashCode());
        var values = new float[8];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Vector.of(values);
    }

    private <V> void pipe(Topic<V> topic, String key, V value) {
        var headers = new RecordHeaders();
        byte[] body = RecordCodec.write(topic, headers, value);
        driver.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(bytes(key), body, headers, START));
    }

    private record OutputRecord<V>(String key, @Nullable V value) {}

    private <V> List<OutputRecord<V>> read(Topic<V> topic) {
        var from = driver.createOutputTopic(topic.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        var read = new ArrayList<OutputRecord<V>>();
        while (!from.isEmpty()) {
            var record = from.readRecord();
            read.add(new OutputRecord<>(
                    new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : RecordCodec.read(topic, record.headers(), record.value())));
        }
        return read;
    }

    private List<RecallHit> recalled(String query) {
        return recalled(banks.index(ANN.key()).orElseThrow(), query);
    }

    private static List<RecallHit> recalled(Index index, String query) {
        return new Recall(new EvidenceReranker())
                .run(index, RecallQuestion.of(query, null))
                .hits();
    }

    private static List<String> ids(List<RecallHit> hits) {
        return hits.stream().map(RecallHit::id).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
