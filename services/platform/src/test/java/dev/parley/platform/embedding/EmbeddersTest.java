package dev.parley.platform.embedding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** The bundled models, with texts in which a tokenizer finds nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"all-minilm-l6-v2-q", "hashed-words-256"})
    @Tag("B39")
    void anyTextHasAVector(String model) {
        Embedder embedder = Embedders.with(model).of(null);
        var texts = new ArrayList<>(List.of(
                "",
                " ",
                "\ufffd",
                "\u00a0",
                "\u200b",
                "\u0000",
                "\u0301\u0302",
                "\ue000",
                "\ud800",
                "\udc00\ud800 x \ud83d",
                "\u200b".repeat(3_000) + "x",
                "\u0301".repeat(3_000),
                "x".repeat(1_999) + "\ud83d\ude00",
                "w".repeat(1 << 20),
                "\ud83d\ude00"));
        var random = new Random(51);
        for (int i = 0; i < 200; i++) {
            texts.add(Character.toString(random.nextInt(i % 2 == 0 ? Character.MAX_CODE_POINT : 0x3000)));
        }

        List<float[]> vectors = embedder.embed(texts);

        assertEquals(texts.size(), vectors.size());
        vectors.forEach(vector -> assertEquals(1, cosine(vector, vector), 1e-3));
        assertEquals(List.of(), embedder.embed(List.of()));
    }

    private static double cosine(float[] first, float[] second) {
        return IntStream.range(0, first.length)
                .mapToDouble(i -> first[i] * second[i])
                .sum();
    }
}
