package dev.parley.memory.search;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.language.time.TimeSpan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexTest {
    private static final Instant T = Instant.parse("2030-01-01T00:00:00Z");
    private static final int DIMENSIONS = 8;

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

    private static Item unit(String id, String text, Instant from) {
        return Item.of(id, ItemKind.UNIT, FactType.WORLD, text, from);
    }

    private static Embedding meaning(double... numbers) {
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < numbers.length; i++) {
            vector[i] = (float) numbers[i];
        }
        return new Embedding("one", vector);
    }

    private static List<String> byWords(Index index, SearchFilter filter, String question) {
        return index.read(
                filter,
                view -> view.bm25(question).best(100).stream()
                        .map(found -> view.item(found.row()).id())
                        .toList());
    }

    private static List<String> byMeaning(Index index, SearchFilter filter, Embedding embedding) {
        return index.read(
                filter,
                view -> view.nearest(embedding, -1, 100).stream()
                        .map(found -> view.item(found.row()).id())
                        .toList());
    }

    @Test
    void findsItemsAfterPutAndNotAfterRemove() {
        index.put(unit("a", "Ann keeps bees", T), meaning(1));
        assertEquals(List.of("a"), byWords(index, SearchFilter.NONE, "who keeps a bee?"));

        index.put(unit("a", "Ann keeps goats", T), meaning(0, 1));
        assertEquals(List.of(), byWords(index, SearchFilter.NONE, "bees"));
        assertEquals(List.of("a"), byWords(index, SearchFilter.NONE, "goat"));
        assertEquals(1, index.size());

        index.remove("a");
        assertEquals(List.of(), byWords(index, SearchFilter.NONE, "goat"));
        assertEquals(List.of(), byMeaning(index, SearchFilter.NONE, meaning(0, 1)));
        assertEquals(0, index.size());
        index.remove("a");
    }

    @Test
    void computesBm25WeightsPerBank() {
        // Given
        var random = new Random(7);
        List<List<String>> texts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            List<String> words = random.ints(3 + random.nextInt(12), 0, 25)
                    .mapToObj(n -> "w" + n)
                    .toList();
            texts.add(words);
            index.put(unit("u%02d".formatted(i), String.join(" ", words), T));
            indexes.of("another").put(unit("u" + i, "w1 w2 w3 w1", T));
        }

        // Then
        double mean = texts.stream().mapToInt(List::size).average().orElseThrow();
        for (int i = 0; i < texts.size(); i++) {
            double expected = 0;
            for (String word : List.of("w1", "w7", "w24")) {
                long documentFrequency =
                        texts.stream().filter(text -> text.contains(word)).count();
                long termFrequency = texts.get(i).stream().filter(word::equals).count();
                double rarity = Math.log(1 + (60 - documentFrequency + 0.5) / (documentFrequency + 0.5));
                double norm = 1.2 * (0.25 + 0.75 * texts.get(i).size() / mean);
                expected += rarity * termFrequency * 2.2 / (termFrequency + norm);
            }
            String id = "u%02d".formatted(i);
            double weight = index.read(
                    SearchFilter.NONE,
                    view -> view.bm25("w1 w7 w24").best(100).stream()
                            .filter(found -> view.item(found.row()).id().equals(id))
                            .mapToDouble(SearchHit::score)
                            .findAny()
                            .orElse(0));
            assertEquals(expected, weight, 1e-5, id);
        }
    }

    /** Random versions and new items: as of each instant, the index answers as if nothing had followed. */
    @Test
    void asOfQueryEqualsAnIndexThatStoppedThen() throws IOException {
        for (int seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            Index full = indexes.of("full " + seed);
            List<Item> items = new ArrayList<>();
            Map<Item, Embedding> meanings = new HashMap<>();
            for (int i = 0; i < 150; i++) {
                String text = String.join(
                        " ", random.ints(4, 0, 12).mapToObj(n -> "w" + n).toList());
                Item item = unit("u" + random.nextInt(60), text, T.plusSeconds(i));
                items.add(item);
                meanings.put(item, meaning(random.nextGaussian(), random.nextGaussian(), random.nextGaussian()));
                full.put(item, meanings.get(item));
            }
            for (int stop = 0; stop < 150; stop += 10) {
                Index stopped = indexes.of("stopped " + seed + " " + stop);
                items.subList(0, stop + 1).forEach(item -> stopped.put(item, meanings.get(item)));
                SearchFilter asOf = SearchFilter.NONE.asOf(T.plusSeconds(stop));
                assertEquals(byWords(stopped, SearchFilter.NONE, "w1 w2 w3"), byWords(full, asOf, "w1 w2 w3"));
                assertEquals(
                        byMeaning(stopped, SearchFilter.NONE, meaning(1, 1)), byMeaning(full, asOf, meaning(1, 1)));
                assertEquals(
                        stopped
                                .read(
                                        SearchFilter.NONE,
                                        view -> view.bm25("w1 w5").best(100))
                                .stream()
                                .map(SearchHit::score)
                                .toList(),
                        full.read(asOf, view -> view.bm25("w1 w5").best(100)).stream()
                                .map(SearchHit::score)
                                .toList());
            }
        }
    }

    @Test
    void laterVersionReplacesTheEarlierOneDespiteAnOlderTime() {
        index.put(unit("a", "Bergen", T.plusSeconds(1)));
        index.put(unit("a", "Oslo", T));
        assertEquals(List.of("a"), byWords(index, SearchFilter.NONE, "Oslo"));
        assertEquals(List.of(), byWords(index, SearchFilter.NONE, "Bergen"));
    }

    @Test
    void findsRetiredItemsOnlyAsOfAnEarlierTime() {
        index.put(unit("a", "Bob lives in Oslo", T).withKnownUntil(T.plusSeconds(10)), meaning(1));
        index.put(unit("b", "Bob lives in Bergen", T.plusSeconds(10)), meaning(1));

        assertEquals(List.of("b"), byWords(index, SearchFilter.NONE, "Bob"));
        assertEquals(List.of("b"), byMeaning(index, SearchFilter.NONE, meaning(1)));
        assertEquals(List.of("a"), byWords(index, SearchFilter.NONE.asOf(T.plusSeconds(9)), "Bob"));
        assertEquals(List.of("b"), byMeaning(index, SearchFilter.NONE.asOf(T.plusSeconds(10)), meaning(1)));
        assertEquals(List.of(), byWords(index, SearchFilter.NONE.asOf(T.minusSeconds(1)), "Bob"));
    }

    @Test
    void comparesVectorsOfOneGenerationOnly() {
        // Given
        index.put(unit("a", "first", T), meaning(1));
        index.put(unit("b", "second", T), new Embedding("two", meaning(1).vector()));

        // Then
        assertEquals(List.of("a"), byMeaning(index, SearchFilter.NONE, meaning(1)));
        assertEquals(
                List.of("b"),
                byMeaning(
                        index,
                        SearchFilter.NONE,
                        new Embedding("two", meaning(1).vector())));
        assertEquals(
                List.of(),
                byMeaning(
                        index,
                        SearchFilter.NONE,
                        new Embedding("three", meaning(1).vector())));

        // When
        index.embed("a", new Embedding("two", meaning(0, 1).vector()));
        index.dropGeneration("one");

        // Then
        assertEquals(List.of(), byMeaning(index, SearchFilter.NONE, meaning(1)));
        assertEquals(
                List.of("b", "a"),
                byMeaning(
                        index,
                        SearchFilter.NONE,
                        new Embedding("two", meaning(1).vector())));
    }

    @Test
    @Tag("M35")
    void doesNotCompareVectorsOfDifferentLengths() {
        // Given
        var shorter = new Embedding("two", new float[] {1, 2});
        index.put(unit("a", "first", T), meaning(1), shorter);
        index.put(unit("b", "second", T), new Embedding("one", new float[] {1, 2}));

        // Then
        assertEquals(List.of("a"), byMeaning(index, SearchFilter.NONE, meaning(1)));
        assertEquals(List.of("a"), byMeaning(index, SearchFilter.NONE, shorter));
        assertEquals(
                List.of(),
                byMeaning(
                        index,
                        SearchFilter.NONE,
                        new Embedding("two", meaning(1).vector())));
        assertEquals(List.of(), index.nearest(new Embedding("one", new float[] {1}), FactType.WORLD, 0, 9));
    }

    @Test
    void nearestFindsItemsAboveTheSimilarityThreshold() {
        index.put(unit("near", "", T), meaning(0.71, Math.sqrt(1 - 0.71 * 0.71)));
        index.put(unit("far", "", T), meaning(0.69, Math.sqrt(1 - 0.69 * 0.69)));
        index.put(Item.of("opinion", ItemKind.UNIT, FactType.OPINION, "", T), meaning(1));
        index.put(Item.of("said", ItemKind.TURN, FactType.WORLD, "", T), meaning(1));

        List<Neighbour> neighbours = index.nearest(meaning(1), FactType.WORLD, 0.7, 20);
        assertEquals(List.of("near"), neighbours.stream().map(Neighbour::id).toList());
        assertEquals(0.71, neighbours.getFirst().similarity(), 1e-6);
    }

    @Test
    void aroundFindsItemsClosestInTime() {
        // Given
        for (int i = 0; i < 10; i++) {
            index.put(unit("u" + i, "", T).at(null, T.plusSeconds(60L * i)));
        }
        index.put(unit("never", "", T));

        // Then
        assertEquals(
                List.of("u3", "u4", "u5", "u6"),
                index.around(T.plusSeconds(300), FactType.WORLD, 2).stream()
                        .map(Item::id)
                        .toList());
        assertEquals(List.of(), index.around(T, FactType.OPINION, 2));

        // When
        index.remove("u5");

        // Then
        assertEquals(
                List.of("u4", "u6"),
                index.around(T.plusSeconds(300), FactType.WORLD, 1).stream()
                        .map(Item::id)
                        .toList());
    }

    @Test
    @Tag("M16")
    void linksAreBidirectionalAndRemovedWithTheirItems() {
        // Given
        index.put(unit("a", "rain", T));
        index.put(unit("b", "flood", T));
        index.link("a", "b", LinkType.CAUSES, 0.5);
        index.link("a", "b", LinkType.CAUSES, 1);
        index.link("a", "b", LinkType.SEMANTIC, 0.75);
        index.link("a", "nothing", LinkType.CAUSES, 1);

        // When
        List<LinkEnd> fromB = index.read(
                SearchFilter.NONE,
                view -> view.links(view.bm25("flood").best(1).getFirst().row()));

        // Then
        assertEquals(
                List.of(LinkType.CAUSES, LinkType.SEMANTIC),
                fromB.stream().map(LinkEnd::type).toList());
        assertEquals(
                List.of(false, false), fromB.stream().map(LinkEnd::outgoing).toList());
        assertEquals(1, fromB.getFirst().weight());
        assertEquals(0.75, fromB.getLast().weight(), 1e-4);

        // When
        index.remove("a");

        // Then
        assertEquals(
                List.of(),
                index.read(
                        SearchFilter.NONE,
                        view -> view.links(view.bm25("flood").best(1).getFirst().row())));
        assertThrows(IllegalArgumentException.class, () -> index.link("b", "b", LinkType.CAUSES, 1));
        assertThrows(IllegalArgumentException.class, () -> index.link("a", "b", LinkType.TEMPORAL, 1));
        assertThrows(IllegalArgumentException.class, () -> index.link("a", "b", LinkType.CAUSES, 1.1));
    }

    @Test
    void filtersByTagsKindTimeAndSource() {
        // Given
        TimeSpan may = new TimeSpan(Instant.parse("2029-05-01T00:00:00Z"), Instant.parse("2029-05-31T00:00:00Z"));
        index.put(unit("tagged", "bee", T).withTags(Set.of("x", "y")).from("t1", null));
        index.put(unit("dated", "bee", T).at(may, T));
        index.put(Item.of("turn", ItemKind.TURN, null, "bee", T).at(null, T));

        // Then
        assertEquals(List.of("tagged"), byWords(index, filter(Set.of("x"), TagMatch.ANY, null, null, Set.of()), "bee"));
        assertEquals(List.of(), byWords(index, filter(Set.of("x", "z"), TagMatch.ALL, null, null, Set.of()), "bee"));
        assertEquals(
                List.of("tagged"),
                byWords(index, filter(Set.of("x", "y"), TagMatch.EXACT, null, null, Set.of()), "bee"));
        assertEquals(
                List.of("dated", "turn"),
                byWords(index, filter(Set.of(), TagMatch.EXACT, null, null, Set.of()), "bee"));
        assertEquals(List.of("dated"), byWords(index, filter(Set.of(), TagMatch.ANY, may, null, Set.of()), "bee"));
        assertEquals(
                List.of("tagged", "turn"), byWords(index, filter(Set.of(), TagMatch.ANY, null, T, Set.of()), "bee"));
        assertEquals(
                List.of("dated", "turn"),
                byWords(index, filter(Set.of(), TagMatch.ANY, null, null, Set.of("t1")), "bee"));
        assertEquals(List.of("turn"), byWords(index, SearchFilter.NONE.kinds(Set.of(ItemKind.TURN)), "bee"));
    }

    private static SearchFilter filter(
            Set<String> tags, TagMatch match, TimeSpan during, Instant validAt, Set<String> excludedSources) {
        return new SearchFilter(Set.of(), Set.of(), tags, match, during, null, validAt, excludedSources);
    }

    /** A read after a write sees it, with concurrent readers. */
    @Test
    void readersSeeWritesAtomically() throws InterruptedException {
        // Given
        var done = new AtomicBoolean();
        var torn = new AtomicInteger();
        var reads = new AtomicInteger();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(Thread.startVirtualThread(() -> {
                while (!done.get()) {
                    index.read(SearchFilter.NONE, view -> {
                        var byWords = view.bm25("bee").best(1_000);
                        var byMeaning = view.nearest(meaning(1), -1, 1_000);
                        reads.incrementAndGet();
                        return byWords.size() == byMeaning.size() ? 0 : torn.incrementAndGet();
                    });
                }
            }));
        }

        // When
        for (int i = 0; i < 300; i++) {
            index.put(unit("u" + i, "a bee", T), meaning(1, i));
            assertEquals(
                    i + 1,
                    index.read(SearchFilter.NONE, view -> view.bm25("bee").best(1_000))
                            .size());
        }
        await().until(() -> reads.get() > 0);
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }

        // Then
        assertEquals(0, torn.get());
    }
}
