package dev.parley.platform.embedding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HybridSearchTest {
    private final HybridSearch search = new HybridSearch(MiniLm.SHARED);

    private List<String> found(String question, List<String> texts) {
        return search.find(question, texts, UnaryOperator.identity(), 3);
    }

    @Test
    @Tag("A8")
    void findsTextsByAParaphrase() {
        // Given
        List<String> skills = List.of(
                "invoice: Writes bills for customers and books their payments",
                "plan-trips: How to plan a journey with trains and hotels",
                "translate: Translates letters into other languages",
                "backup: Saves databases and brings them back",
                "recipes: Finds something to cook from what is in the fridge");

        // When, then
        assertEquals(skills.get(1), found("organise a holiday by rail", skills).getFirst());
        assertEquals(skills.get(4), found("what can I eat tonight", skills).getFirst());
        assertEquals(skills.get(3), found("restore lost data", skills).getFirst());
    }

    @Test
    @Tag("A8")
    void changedTextIsFoundByItsNewMeaning() {
        var texts = new ArrayList<>(
                List.of("one: Counts sheep", "two: Paints walls", "three: Repairs bicycles", "four: Sings"));
        assertEquals("three: Repairs bicycles", found("fix my bike", texts).getFirst());
        texts.set(0, "one: Mends bikes");
        texts.set(2, "three: Bakes bread");
        assertEquals("one: Mends bikes", found("fix my bike", texts).getFirst());
    }

    @Test
    void findsATextByItsExactName() {
        List<String> texts = List.of("zx81_reset: Does it", "zx80_reset: Does it", "other: Resets everything");
        assertEquals("zx80_reset: Does it", found("zx80 reset", texts).getFirst());
    }

    @Test
    void embedsEachTextOnce() {
        // Given
        var read = new AtomicInteger();
        var counting = new HybridSearch(new Embedder() {
            @Override
            public String name() {
                return "counting";
            }

            @Override
            public int dimensions() {
                return 1;
            }

            @Override
            public List<float[]> vectors(List<String> texts) {
                read.addAndGet(texts.size());
                return texts.stream().map(text -> new float[] {1}).toList();
            }
        });

        // When
        counting.find("q", List.of("a", "b", "a"), UnaryOperator.identity(), 1);
        counting.find("q", List.of("a", "b", "c"), UnaryOperator.identity(), 1);

        // Then
        assertEquals(4, read.get());
        assertTrue(counting.find("", List.of(), UnaryOperator.identity(), 1).isEmpty());
    }
}
