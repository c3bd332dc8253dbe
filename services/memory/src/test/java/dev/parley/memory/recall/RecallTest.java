package dev.parley.memory.recall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.MessagePosition;
import dev.parley.memory.search.SearchFilter;
import dev.parley.memory.search.TagMatch;
import dev.parley.platform.embedding.MiniLm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecallTest {
    private static final Instant T = Instant.parse("2030-01-01T00:00:00Z");
    private static final int DIMENSIONS = 384;

    private final Recall recall = new Recall(new EvidenceReranker());

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

    private static Embedding meaning(String text) {
        return new Embedding("mini", MiniLm.SHARED.embed(List.of(text)).getFirst());
    }

    private static Embedding random(Random random) {
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) random.nextGaussian();
        }
        return new Embedding("mini", vector);
    }

    private static Item unit(String id, String text) {
        return Item.of(id, ItemKind.UNIT, FactType.WORLD, text, T);
    }

    private static Item turn(String id, FactType type, int position, String text) {
        return Item.of(id, ItemKind.TURN, type, text, T).from("turn-" + id, new MessagePosition("session", position));
    }

    private static List<String> ids(List<RecallHit> hits) {
        return hits.stream().map(RecallHit::id).toList();
    }

    private static Set<Retriever> without(Retriever arm) {
        return EnumSet.complementOf(EnumSet.of(arm));
    }

    @Test
    @Tag("M8")
    void findsAParaphrase() {
        List.of("Her dog is called Rex", "He moved to a flat in Oslo", "They had soup for dinner", "The car is red")
                .forEach(text -> index.put(unit(text, text), meaning(text)));

        List<RecallHit> hits = recall.run(
                        index, RecallQuestion.of("Which city does he live in?", meaning("Which city does he live in?")))
                .hits();

        assertEquals("He moved to a flat in Oslo", hits.getFirst().id());
        assertTrue(hits.getFirst().arms().containsKey(Retriever.SEMANTIC));
    }

    /** Other banks of the process are hundreds of times larger and contain matches as well. */
    @Test
    @Tag("M8")
    void findsTheExactBestInASmallBankAmongLargeOnes() {
        // Given
        var random = new Random(3);
        Index large = indexes.of("large");
        for (int i = 0; i < 20_100; i++) {
            large.put(unit("l" + i, "word" + i % 50), random(random));
        }
        List<Embedding> vectors = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            vectors.add(random(random));
            index.put(unit("s%02d".formatted(i), "word" + i % 50), vectors.get(i));
        }

        // Then
        for (int round = 0; round < 20; round++) {
            Embedding query = random(random);
            List<Integer> exact = IntStream.range(0, 100)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> -dot(query, vectors.get(i))))
                    .limit(10)
                    .toList();
            RecallQuestion question = RecallQuestion.of("x", query).by(Set.of(Retriever.SEMANTIC));
            assertEquals(
                    exact.stream().map("s%02d"::formatted).toList(),
                    ids(new Recall(Reranker.NONE).findHits(index, question)).subList(0, 10));
        }
    }

    private static double dot(Embedding first, Embedding second) {
        double sum = 0;
        for (int i = 0; i < DIMENSIONS; i++) {
            sum += first.vector()[i] * second.vector()[i];
        }
        return sum;
    }

    @Test
    @Tag("M31")
    void eachRetrieverFindsIsTracedAndCanBeDisabled() {
        // Given
        TimeSpan may = new TimeSpan(Instant.parse("2029-05-01T00:00:00Z"), Instant.parse("2029-05-31T23:59:59Z"));
        String query = "Where does the puppy sleep?";
        index.put(
                unit("meaning", "A young dog rests in his basket at night"),
                meaning("A young dog rests in his basket at night"));
        index.put(unit("words", "puppy xyzzy"));
        index.put(unit("connected", "zzz"));
        index.put(unit("dated", "qqq").at(may, null));
        index.link("connected", "meaning", LinkType.CAUSES, 1);
        RecallQuestion question = RecallQuestion.of(query, meaning(query)).at(null, may);

        // When
        Recalled recalled = recall.run(index, question);

        // Then
        assertEquals(Set.of("meaning", "words", "connected", "dated"), new HashSet<>(ids(recalled.hits())));
        assertEquals(Retriever.ALL, recalled.trace().arms().keySet());
        assertEquals(
                "connected",
                recalled.trace().arms().get(Retriever.GRAPH).getFirst().id());
        assertEquals(
                "dated",
                recalled.trace().arms().get(Retriever.TEMPORAL).getFirst().id());
        assertTrue(recalled.trace()
                .times()
                .keySet()
                .containsAll(Set.of("semantic", "keyword", "graph", "temporal", "ranking", "packing")));
        assertEquals(4, recalled.trace().fused());

        assertFalse(
                ids(recall.run(index, question.by(without(Retriever.KEYWORD))).hits())
                        .contains("words"));
        assertFalse(ids(recall.run(index, question.by(without(Retriever.GRAPH))).hits())
                .contains("connected"));
        assertFalse(
                ids(recall.run(index, question.by(without(Retriever.TEMPORAL))).hits())
                        .contains("dated"));
        Recalled noMeaning = recall.run(index, question.by(without(Retriever.SEMANTIC)));
        assertFalse(ids(noMeaning.hits()).contains("meaning"));
        assertFalse(noMeaning.trace().arms().containsKey(Retriever.SEMANTIC));
        assertEquals(List.of(), recall.run(index, question.by(Set.of())).hits());
    }

    @Test
    @Tag("M9")
    void temporalRetrieverFindsDatedItemsOnly() {
        // Given
        TimeSpan may = new TimeSpan(Instant.parse("2029-05-01T00:00:00Z"), Instant.parse("2029-05-31T23:59:59Z"));
        TimeSpan yesterday = new TimeSpan(T.minusSeconds(86_400), T);
        index.put(unit("trip", "A trip to Rome").at(may, T.minusSeconds(3_600)));
        index.put(unit("told", "A new bicycle").at(null, T.minusSeconds(7_200)));
        index.put(unit("unknown", "An old boat"));

        RecallQuestion question = RecallQuestion.of("?", null).by(Set.of(Retriever.TEMPORAL));

        // Then
        assertEquals(
                List.of("trip"), ids(recall.run(index, question.at(null, may)).hits()));
        assertEquals(
                List.of("told"),
                ids(recall.run(index, question.at(null, yesterday)).hits()));
        assertEquals(List.of(), ids(recall.run(index, question).hits()));
    }

    @Test
    void ranksUserTextsFirstUnlessTheQuestionIsAboutTheAgents() {
        // Given
        index.put(turn("a", FactType.EXPERIENCE, 0, "A marathon takes training, says the agent"));
        index.put(turn("b", FactType.WORLD, 5, "A marathon takes training, says the person"));

        // Then
        assertEquals(
                "b",
                ids(recall.run(index, RecallQuestion.of("marathon training", null))
                                .hits())
                        .getFirst());
        assertEquals(
                List.of("a", "b"),
                ids(recall.run(index, RecallQuestion.of("What marathon training have you suggested?", null))
                        .hits()));
    }

    @Test
    void ranksNeighboursOfGoodMatchesHigher() {
        index.put(turn("a", FactType.WORLD, 1, "the harbour at dusk"));
        index.put(turn("b", FactType.WORLD, 10, "the harbour at dawn"));
        index.put(turn("c", FactType.WORLD, 11, "photographs of the harbour"));

        List<String> ids = ids(recall.run(index, RecallQuestion.of("harbour dusk dawn photographs", null))
                .hits());
        assertEquals("a", ids.getLast());
    }

    @Test
    @Tag("M16")
    void ranksByProofCountAndNamesTheSource() {
        // Given
        index.put(unit("a", "He likes tea").from("turn-1", null));
        index.put(unit("b", "He likes tea").from("turn-2", null).withProofCount(9));
        index.put(unit("c", "He likes tea").from("turn-3", null).withProofCount(3));

        // When
        List<RecallHit> hits = recall.run(index, RecallQuestion.of("tea", null)).hits();

        // Then
        assertEquals(List.of("b", "c", "a"), ids(hits));
        assertEquals("turn-2", hits.getFirst().source());

        // When
        index.remove("b");

        // Then
        assertEquals(
                List.of("c", "a"),
                ids(recall.run(index, RecallQuestion.of("tea", null)).hits()));
    }

    @Test
    void ranksRecentItemsFirstIfTheTimeOfTheQuestionIsKnown() {
        index.put(unit("a", "He likes tea").at(null, T.minusSeconds(400L * 86_400)));
        index.put(unit("b", "He likes tea").at(null, T.minusSeconds(86_400)));

        assertEquals(
                List.of("a", "b"),
                ids(recall.run(index, RecallQuestion.of("tea", null)).hits()));
        assertEquals(
                List.of("b", "a"),
                ids(recall.run(index, RecallQuestion.of("tea", null).at(T, null))
                        .hits()));
    }

    /** The order of insertion does not matter, even among equal scores. */
    @Test
    void resultsDoNotDependOnTheInsertionOrder() {
        // Given
        var random = new Random(21);
        List<Item> items = new ArrayList<>();
        List<Embedding> meanings = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            items.add(
                    unit("u%03d".formatted(i), "word" + i % 5 + " word" + i % 3).withEntities(List.of("e" + i % 20)));
            meanings.add(i % 4 == 0 ? random(new Random(1)) : random(random));
        }
        RecallQuestion question = RecallQuestion.of("word1 word2", random(random));

        // Then
        List<RecallHit> first = null;
        for (int round = 0; round < 4; round++) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, 200).boxed().toList());
            Collections.shuffle(order, random);
            Index other = indexes.of("round " + round);
            order.forEach(i -> other.put(items.get(i), meanings.get(i)));
            items.stream().limit(20).forEach(item -> other.remove(item.id()));
            List<RecallHit> hits = recall.findHits(other, question);
            first = first == null ? hits : first;
            assertEquals(first, hits);
        }
    }

    /** Texts that are hard to tokenise; the test counts the tokens of the whole JSON again. */
    @Test
    void answerStaysWithinItsTokenLimit() throws IOException {
        // Given
        Encoding tokens = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
        var json = new ObjectMapper();
        var random = new Random(31);
        List<String> parts = List.of(
                "bee ",
                "\n\n",
                "🐝",
                "\"quoted\" ",
                "中文",
                "  ",
                "antidisestablishmentarianism ",
                "<|endoftext|>",
                "\\",
                "1234567 ");
        for (int i = 0; i < 300; i++) {
            var text = new StringBuilder("bee ");
            for (int j = random.nextInt(120); j > 0; j--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            index.put(unit("u" + i, text.toString())
                    .withEntities(List.of("e" + i))
                    .withContext(i % 3 == 0 ? "at home" : null));
        }

        // Then
        for (int round = 0; round < 150; round++) {
            int limit = RecallPayload.MIN_TOKENS + random.nextInt(round % 2 == 0 ? 200 : 6_000);
            Recalled recalled =
                    recall.run(index, RecallQuestion.of("bee 中文 1234567", null).with(RecallEffort.HIGH, limit));
            assertTrue(tokens.countTokensOrdinary(recalled.json()) <= limit, recalled.json());
            assertEquals(tokens.countTokensOrdinary(recalled.json()), recalled.tokens());
            JsonNode memories = json.readTree(recalled.json()).get("memories");
            assertEquals(ids(recalled.hits()), memories.findValuesAsText("id"));
        }
    }

    @Test
    void skipsItemsBeyondTheTokenLimitAndTakesLaterOnes() {
        index.put(unit("long", "bee bee bee " + "and so on ".repeat(200)).withProofCount(1_000));
        index.put(unit("short", "a bee"));
        RecallQuestion question = RecallQuestion.of("bee", null).with(RecallEffort.LOW, 100);
        Recalled recalled = recall.run(index, question);
        assertEquals(List.of("short"), ids(recalled.hits()));
        assertEquals(2, recalled.trace().fused());
        assertThrows(IllegalArgumentException.class, () -> question.with(RecallEffort.LOW, 9));
    }

    @Test
    void filtersApplyToEveryRetriever() {
        // Given
        index.put(unit("mine", "bee")
                .withTags(Set.of("x"))
                .withEntities(List.of("e"))
                .at(null, T));
        index.put(unit("other", "bee")
                .withTags(Set.of("y"))
                .withEntities(List.of("e"))
                .at(null, T));
        index.link("mine", "other", LinkType.SEMANTIC, 0.9);
        SearchFilter filter =
                new SearchFilter(Set.of(), Set.of(), Set.of("x"), TagMatch.ALL, null, null, null, Set.of());
        RecallQuestion question = RecallQuestion.of("bee", null).within(filter).at(null, new TimeSpan(T, T));

        // Then
        assertEquals(List.of("mine"), ids(recall.run(index, question).hits()));
    }
}
