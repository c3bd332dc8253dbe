package dev.parley.platform.embedding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EmbeddersTest {
    private final Embedder words = new HashedWords();

    @Test
    @Tag("M35")
    void findsAModelByNameAndTheDefaultWithoutOne() {
        Embedders embedders = Embedders.with(words.name());

        assertEquals(Embedders.ALL, embedders.names());
        assertEquals(words.name(), embedders.of(null).name());
        assertEquals(384, embedders.of(MiniLm.SHARED.name()).dimensions());
        var unknown = assertThrows(IllegalArgumentException.class, () -> embedders.of("gpt"));
        assertTrue(unknown.getMessage().contains(words.name()), unknown.getMessage());
    }

    @Test
    void textsWithSimilarWordsHaveSimilarVectors() {
        List<float[]> vectors =
                words.embed(List.of("She paints houses.", "she painted a house", "Bergen is rainy", "", "?!"));

        assertTrue(cosine(vectors.get(0), vectors.get(1)) > cosine(vectors.get(0), vectors.get(2)) + 0.2);
        vectors.forEach(vector -> assertEquals(1, cosine(vector, vector), 1e-5));
        assertArrayEquals(
                vectors.get(0), words.embed(List.of("She paints houses.")).getFirst());
    }

    private static double cosine(float[] first, float[] second) {
        return IntStream.range(0, first.length)
                .mapToDouble(i -> first[i] * second[i])
                .sum();
    }
}
