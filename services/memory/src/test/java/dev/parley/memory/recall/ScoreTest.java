package dev.parley.memory.recall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.MessagePosition;
import dev.parley.platform.embedding.MiniLm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scores of hits as documented in docs/memory.md. */
class ScoreTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final double EXACTLY = 1e-9;
    private static final Reranker ONE = (_, candidates) -> {
        double[] ones = new double[candidates.size()];
        Arrays.fill(ones, 1);
        return ones;
    };

    @TempDir
    private Path folder;

    private Indexes indexes;
    private Index index;

    @BeforeEach
    void open() throws IOException {
        indexes = new Indexes(folder);
        index = indexes.of("bank");
    }

    @AfterEach
    void close() throws IOException {
        indexes.close();
    }

    private static Item unit(String id, String text) {
        return Item.of(id, ItemKind.UNIT, FactType.WORLD, text, NOW);
    }

    private static Embedding meaning(String text) {
        return new Embedding("mini", MiniLm.SHARED.embed(List.of(text)).getFirst());
    }

    private Map<String, RecallHit> found(Reranker reranker, RecallQuestion question) {
        return new Recall(reranker)
                .findHits(index, question).stream().collect(Collectors.toMap(RecallHit::id, Function.identity()));
    }

    @Test
    @Tag("M31")
    void scoresRanksByReciprocalRankFusion() {
        // Given
        for (String text : List.of("The harbour at dusk", "A dog in the harbour", "Soup for dinner")) {
            index.put(unit(text, text), meaning(text));
        }

        // When
        Map<String, RecallHit> hits = found(Reranker.NONE, RecallQuestion.of("the harbour", meaning("the harbour")));

        // Then
        assertEquals(3, hits.size());
        hits.values()
                .forEach(hit -> assertEquals(
                        hit.arms().values().stream()
                                .mapToDouble(rank -> 1.0 / (60 + rank))
                                .sum(),
                        hit.score(),
                        EXACTLY));
    }

    @Test
    @Tag("M31")
    void weighsAgeTimeAndProofAsDocumented() {
        // Given
        TimeSpan window = new TimeSpan(NOW.minus(Duration.ofDays(20)), NOW.minus(Duration.ofDays(10)));
        Instant middle = NOW.minus(Duration.ofDays(15));
        index.put(unit("new", "tea").at(null, NOW));
        index.put(unit("half a year", "tea").at(null, NOW.minus(Duration.ofHours(365 * 12))));
        index.put(unit("old", "tea").at(null, NOW.minus(Duration.ofDays(3_650))));
        index.put(unit("undated", "tea"));
        index.put(unit("proved", "tea").withProofCount(9));
        index.put(Item.of("model", ItemKind.UNIT, FactType.MENTAL_MODEL, "tea", NOW));
        index.put(unit("then", "tea").at(new TimeSpan(middle, middle), null));

        // When
        Map<String, RecallHit> plain = found(ONE, RecallQuestion.of("tea", null).at(NOW, null));
        Map<String, RecallHit> timed = found(ONE, RecallQuestion.of("tea", null).at(NOW, window));

        // Then
        assertEquals(1 + 0.2 * 0.5, plain.get("new").score(), EXACTLY);
        assertEquals(1, plain.get("half a year").score(), EXACTLY);
        assertEquals(1 + 0.2 * (0.1 - 0.5), plain.get("old").score(), EXACTLY);
        assertEquals(1, plain.get("undated").score(), EXACTLY);
        assertEquals(1 + 0.1 * Math.log(9) / 10, plain.get("proved").score(), EXACTLY);
        assertEquals(1.05, plain.get("model").score(), EXACTLY);
        assertEquals(
                (1 + 0.2 * (1 - 15.0 / 365 - 0.5)) * (1 + 0.2 * 0.5),
                timed.get("then").score(),
                EXACTLY);
        assertEquals(1.1 * (1 - 0.2 * 0.5), timed.get("new").score(), EXACTLY, "it is of another time");
    }

    private static RecallCandidate candidate(
            String id, FactType type, int position, double similarity, double bm25, double connection) {
        var item = Item.of(id, ItemKind.TURN, type, "tea", NOW)
                .from("turn-" + id, new MessagePosition("session", position));
        var candidate = new RecallCandidate(0, item, similarity).withBm25(bm25);
        candidate.addRank(Retriever.GRAPH, 1, connection, 0);
        return candidate;
    }

    @Test
    @Tag("M31")
    void evidenceCombinesClosenessWordsConnectionsAndNeighbours() {
        // Given the best of a conversation, its neighbour, one of the agent further on, and one without a vector
        var candidates = List.of(
                candidate("best", FactType.WORLD, 1, 0.6, 8, 0),
                candidate("beside", FactType.WORLD, 2, 0.2, 2, 1),
                candidate("agent's", FactType.EXPERIENCE, 9, 0.4, 4, 0),
                candidate("no vector", FactType.WORLD, 20, Double.NaN, 0, 3));

        // When
        double[] scores = new EvidenceReranker().scores(RecallQuestion.of("which tea is it?", null), candidates);
        double[] agents =
                new EvidenceReranker().scores(RecallQuestion.of("which tea did you recommend?", null), candidates);

        // Then
        double best = 0.6 + 0.35;
        double neighbour = 0.2 + 0.35 * 2 / 8;
        assertEquals((best + 0.2 * neighbour) / 1.2, scores[0], EXACTLY);
        assertEquals((neighbour + 0.05 + 0.2 * best) / 1.2, scores[1], EXACTLY);
        assertEquals((0.4 + 0.35 / 2) / 1.2 - 0.12 / 1.2, scores[2], EXACTLY);
        assertEquals((0.4 + 0.05 * 3) / 1.2, scores[3], EXACTLY, "the others are as close as that on average");
        assertEquals((0.4 + 0.35 / 2) / 1.2, agents[2], EXACTLY);
    }
}
