package dev.parley.memory.recall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.embedding.HashedWords;
import dev.parley.platform.kafka.KafkaClients;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecallExecutorTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final BankRef BANK =
            new BankRef(UUID.randomUUID(), "default", null, UUID.randomUUID().toString());

    @TempDir
    private Path folder;

    private final RecordingEmbedder embedder = new RecordingEmbedder(new HashedWords());
    private Indexes indexes;
    private RecallExecutor executor;

    @BeforeEach
    void open() throws IOException {
        indexes = new Indexes(folder);
        executor = new RecallExecutor(
                KafkaClients.of("none:1"), Embedders.of(embedder), TimeZones.UNKNOWN, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @AfterEach
    void close() throws IOException {
        executor.close();
        indexes.close();
    }

    @Test
    void embedsNoQueryForAnEmptyBank() {
        // Given
        Index empty = indexes.of("bank");

        // When
        Outcome outcome = recall(empty, "Where did I move?");

        // Then
        var recalled = assertInstanceOf(Outcome.Recalled.class, outcome);
        assertTrue(recalled.json().contains("\"memories\":[]"), recalled.json());
        assertEquals(List.of(), embedder.embedded);
    }

    @Test
    void embedsTheQueryForABankWithItems() {
        // Given
        Index index = indexes.of("bank");
        index.put(Item.of("one", ItemKind.UNIT, FactType.WORLD, "Ann moved to Oslo", NOW));

        // When
        recall(index, "Where did I move?");

        // Then
        assertEquals(List.of("Where did I move?"), embedder.embedded);
    }

    private Outcome recall(Index index, String query) {
        var request = RecallRequest.of(UUID.randomUUID(), BANK, null, query, 1_000, 0, NOW.plusSeconds(60));
        return executor.answer(request, index, 1).join().outcome();
    }

    /** Records the texts that it embeds. */
    private record RecordingEmbedder(Embedder embedder, List<String> embedded) implements Embedder {
        RecordingEmbedder(Embedder embedder) {
            this(embedder, new CopyOnWriteArrayList<>());
        }

        @Override
        public String name() {
            return embedder.name();
        }

        @Override
        public int dimensions() {
            return embedder.dimensions();
        }

        @Override
        public List<float[]> vectors(List<String> texts) {
            embedded.addAll(texts);
            return embedder.embed(texts);
        }
    }
}
