package dev.parley.memory.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.memory.bank.PendingInputs.Parked;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.SearchFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open banks, and inputs that wait for others. */
class BanksTest {
    private static final UUID HOST = Ids.of("host", "default");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int EVENTS = 1_200;

    @TempDir
    Path folder;

    private final Deque<Runnable> fillings = new ArrayDeque<>();
    private Indexes indexes;

    @BeforeEach
    void open() throws IOException {
        indexes = new Indexes(folder);
    }

    @AfterEach
    void close() throws IOException {
        indexes.close();
    }

    private Banks banks(long large, long capacity, Duration busy, Duration idle) {
        return new Banks(
                indexes, new Banks.Limits(large, Duration.ofMinutes(1), 5_000, capacity, busy, idle), fillings::add);
    }

    private static BankRef bank(String user) {
        return new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, user);
    }

    /** Documents whose texts contain their number. */
    private static final class Log implements PartitionBanks.Events {
        private final List<MemoryEvent> events = new ArrayList<>();

        Log(BankRef bank, int count) {
            for (int i = 1; i <= count; i++) {
                String text = "number n" + i;
                events.add(new DocumentRetained(
                        new MemoryMeta(bank, i, START.plusSeconds(i), null, null),
                        new Document(
                                Ids.of("doc", i),
                                null,
                                null,
                                null,
                                "hash",
                                List.of(new Utterance(Role.USER, null, text)),
                                null,
                                List.of(),
                                START,
                                List.of(new Piece(0, 0, text.length(), "%064d".formatted(i))),
                                null,
                                null)));
            }
        }

        @Override
        public void each(long from, long to, Consumer<MemoryEvent> consumer) {
            events.stream()
                    .filter(event -> event.meta().seq() >= from && event.meta().seq() < to)
                    .forEach(consumer);
        }

        @Override
        public MemoryEvent get(long number) {
            return events.get((int) number - 1);
        }
    }

    private static int hits(Index index, int number) {
        return index.read(
                SearchFilter.NONE, view -> view.bm25("n" + number).best(10).size());
    }

    @Test
    @Tag("M7")
    void openBankAnswersWhileItsWriterOwnsThePartition() {
        // Given
        RecordKey key = bank("ann").key();
        Banks banks = banks(EVENTS, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);
        try (PartitionBanks partitionBanks = banks.forPartition()) {
            assertEquals(Optional.empty(), banks.searchable(key));
            partitionBanks.open(key, 10, new Log(bank("ann"), 9)); // the last event has been erased

            // When
            Banks.SearchableBank answering = banks.searchable(key).orElseThrow();

            // Then
            assertEquals(10, answering.known());
            assertEquals(1, hits(answering.index(), 9));
            long now = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            assertEquals(Optional.empty(), banks.searchable(key, now));
            assertEquals(Optional.empty(), banks.searchable(bank("bob").key()));
        }
        assertEquals(Optional.empty(), banks.searchable(key));
    }

    @Test
    void fillsABankWithAllEventsOnEitherThread() {
        RecordKey key = bank("ann").key();
        var log = new Log(bank("ann"), EVENTS);
        try (PartitionBanks foreground = banks(EVENTS, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO)
                        .forPartition();
                PartitionBanks background = banks(EVENTS - 1, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO)
                        .forPartition()) {
            Index foregroundIndex =
                    foreground.open(key, EVENTS, log).orElseThrow().index();
            assertEquals(Optional.empty(), background.open(key, EVENTS, log));
            assertEquals(Optional.empty(), background.open(key, EVENTS, log));
            background.openFilled();
            assertEquals(Optional.empty(), background.index(key));
            fillings.remove().run();
            assertEquals(Optional.empty(), background.index(key)); // its writer has not opened it yet
            background.openFilled();

            Index backgroundIndex =
                    background.open(key, EVENTS, log).orElseThrow().index();
            assertEquals(List.of(), List.copyOf(fillings));
            assertEquals(EVENTS, foregroundIndex.size());
            assertEquals(EVENTS, backgroundIndex.size());
            for (int i = 1; i <= EVENTS; i += 97) {
                assertEquals(1, hits(foregroundIndex, i));
                assertEquals(1, hits(backgroundIndex, i));
            }
        }
    }

    @Test
    @Tag("M34")
    void fillsInTheBackgroundBeyondTheTimeOfATransaction() {
        var limits = new Banks.Limits(EVENTS, Duration.ZERO, 5_000, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);
        RecordKey key = bank("ann").key();
        try (PartitionBanks partitionBanks = new Banks(indexes, limits, fillings::add).forPartition()) {
            assertTrue(
                    partitionBanks
                            .open(bank("new").key(), 0, new Log(bank("new"), 0))
                            .isPresent(),
                    "there is nothing to fill");
            assertEquals(Optional.empty(), partitionBanks.open(key, 30, new Log(bank("ann"), 30)));
            assertTrue(partitionBanks.isFilling(key));

            fillings.remove().run();
            partitionBanks.openFilled();

            assertFalse(partitionBanks.isFilling(key));
            Index index = partitionBanks.index(key).orElseThrow();
            assertEquals(30, index.size());
            assertEquals(1, hits(index, 1));
            assertEquals(1, hits(index, 30));
        }
    }

    @Test
    void abortedFillingLeavesNothingAndRestarts() {
        // Given
        RecordKey key = bank("ann").key();
        var log = new Log(bank("ann"), EVENTS);
        Banks banks = banks(10, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);
        PartitionBanks partitionBanks = banks.forPartition();
        partitionBanks.open(key, EVENTS, log);

        // When
        partitionBanks.close();
        fillings.remove().run();

        // Then
        assertEquals(Optional.empty(), banks.index(key));

        // When
        try (PartitionBanks next = banks.forPartition()) {
            next.open(key, EVENTS, log);
            fillings.remove().run();
            next.openFilled();

            // Then
            assertEquals(EVENTS, banks.index(key).orElseThrow().size());
        }
        assertEquals(Optional.empty(), banks.index(key));
    }

    @Test
    void bankThatCannotBeFilledIsNotOpenedAndOthersAre() {
        // Given
        try (PartitionBanks partitionBanks =
                banks(10, Long.MAX_VALUE, Duration.ZERO, Duration.ZERO).forPartition()) {
            partitionBanks.open(bank("ann").key(), EVENTS, new PartitionBanks.Events() {
                @Override
                public void each(long from, long to, Consumer<MemoryEvent> consumer) {
                    throw new IllegalStateException("the store is closed");
                }

                @Override
                public MemoryEvent get(long number) {
                    throw new IllegalStateException("the store is closed");
                }
            });

            // When
            fillings.remove().run();

            partitionBanks.openFilled();

            // Then
            var failure = assertThrows(
                    IllegalStateException.class,
                    () -> partitionBanks.open(bank("ann").key(), EVENTS, new Log(bank("bob"), 0)));
            assertEquals("the store is closed", failure.getCause().getMessage());
            assertTrue(partitionBanks
                    .open(bank("bob").key(), 0, new Log(bank("bob"), 0))
                    .isPresent());
        }
    }

    @Test
    void evictsTheLeastRecentlyUsedBanks() {
        // Given
        Banks banks = banks(EVENTS, 250, Duration.ZERO, Duration.ofHours(1));
        try (PartitionBanks first = banks.forPartition();
                PartitionBanks second = banks.forPartition()) {
            List<RecordKey> keys = List.of(
                    bank("a").key(), bank("b").key(), bank("c").key(), bank("d").key());
            for (int i = 0; i < keys.size(); i++) {
                (i % 2 == 0 ? first : second).open(keys.get(i), 100, new Log(bank("x"), 100));
            }
            first.open(keys.getFirst(), 100, new Log(bank("x"), 100)); // again
            Index heldIndex = banks.index(keys.get(1)).orElseThrow();
            heldIndex.hold();

            // When
            first.evict();
            second.evict();

            // Then
            assertEquals(
                    List.of(keys.get(0), keys.get(1)),
                    keys.stream().filter(key -> banks.index(key).isPresent()).toList());
            heldIndex.release();
            assertEquals(1, hits(heldIndex, 7));
        }
    }

    @Test
    void evictsIdleBanksAndKeepsBusyOnes() {
        Banks banks = banks(EVENTS, 10, Duration.ofHours(1), Duration.ofHours(2));
        try (PartitionBanks partitionBanks = banks.forPartition()) {
            RecordKey key = bank("ann").key();
            Index index = partitionBanks
                    .open(key, 100, new Log(bank("ann"), 100))
                    .orElseThrow()
                    .index();
            long now = System.nanoTime();
            assertTrue(banks.surplus(now).isEmpty());
            assertEquals(
                    1, banks.surplus(now + Duration.ofMinutes(90).toNanos()).size());
            Banks roomy = banks(EVENTS, 1_000, Duration.ZERO, Duration.ZERO);
            try (PartitionBanks idle = roomy.forPartition()) {
                Index evicted = idle.open(key, 100, new Log(bank("ann"), 100))
                        .orElseThrow()
                        .index();
                idle.evict();
                assertThrows(Index.ClosedException.class, () -> hits(evicted, 7));
                assertEquals(
                        1,
                        hits(
                                idle.open(key, 100, new Log(bank("ann"), 100))
                                        .orElseThrow()
                                        .index(),
                                7));
            }
            assertEquals(1, hits(index, 7));
        }
    }

    @Test
    @Tag("M34")
    void pendingInputsKeepTheirOrderAfterATakeover() {
        // Given
        MemoryStore store = store();
        BankRef ann = bank("ann");
        BankRef bob = bank("bob");
        var pending = new PendingInputs(store);
        List<MemoryInput> inputs = List.of(remove(ann, "1"), answered("2"), remove(ann, "3"), answered("4"));
        inputs.forEach(input -> pending.add(ann.key(), input, "00-trace"));
        pending.add(bob.key(), answered("of bob"), null);
        assertEquals(
                new Parked(inputs.getFirst(), "00-trace"),
                pending.next(ann.key(), BanksTest::unreadable).orElseThrow());
        assertTrue(pending.add(ann.key(), question(ann)));

        // When
        var elsewhere = new PendingInputs(store);

        // Then
        assertEquals(
                List.of(ann.key(), bob.key()),
                elsewhere.banks().stream()
                        .sorted(Comparator.comparing(key -> !key.equals(ann.key())))
                        .toList());
        elsewhere.add(ann.key(), answered("5"), "00-other");
        for (MemoryInput input : inputs.subList(1, 4)) {
            assertEquals(
                    new Parked(input, null),
                    elsewhere.next(ann.key(), BanksTest::unreadable).orElseThrow());
        }
        assertEquals(
                new Parked(answered("5"), "00-other"),
                elsewhere.next(ann.key(), BanksTest::unreadable).orElseThrow());
        assertEquals(Optional.empty(), elsewhere.next(ann.key(), BanksTest::unreadable));
        assertEquals(List.of(), elsewhere.remove(ann.key())); // no caller here waits for an answer
        assertFalse(elsewhere.contains(ann.key()));
        assertInstanceOf(
                MemoryInput.Answered.class,
                elsewhere.next(bob.key(), BanksTest::unreadable).orElseThrow().input());
        assertEquals(List.of(), new PendingInputs(store).banks());
    }

    @Test
    void limitsPendingRecalls() {
        var pending = new PendingInputs(store());
        BankRef ann = bank("ann");
        for (int i = 0; i < 100; i++) {
            assertTrue(pending.add(ann.key(), question(ann)));
        }
        assertFalse(pending.add(ann.key(), question(ann)));
        assertEquals(List.of(), pending.removeExpired(START));
        assertEquals(100, pending.removeExpired(START.plusSeconds(3)).size());
        assertEquals(List.of(), pending.remove(ann.key()));
    }

    private MemoryStore store() {
        var context = new MockProcessorContext<byte[], byte[]>();
        var rows = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(MemoryStore.NAME), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        rows.init(context.getStateStoreContext(), rows);
        return new MemoryStore(context);
    }

    private static MemoryInput remove(BankRef bank, String name) {
        return new MemoryCommand.RemoveDirective(
                new CommandMeta(Ids.of(name), HOST, START, "ann", 0, null), bank, Ids.of("directive", name));
    }

    private static MemoryInput answered(String name) {
        return new MemoryInput.Answered(
                new CallResult.ToolAnswered(Ids.of("call", name), 1, ToolStatus.COMPLETED, name));
    }

    private static RecallRequest question(BankRef bank) {
        return RecallRequest.of(UUID.randomUUID(), bank, null, "what?", 1_000, 0, START.plusSeconds(2));
    }

    private static void unreadable(byte[] row, byte[] bytes) {
        throw new AssertionError("a row cannot be read");
    }
}
