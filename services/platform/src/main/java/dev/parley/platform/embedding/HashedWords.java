package dev.parley.platform.embedding;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Embeddings of hashed words and trigrams: language-independent, without synonyms, but tolerant of spelling. They need
 * no memory and a few microseconds per text: for small machines, and as a baseline.
 */
public final class HashedWords implements Embedder {
    private static final int DIMENSIONS = 256;
    private static final int TRIGRAM = 3;
    /** Weight of a trigram relative to a word. */
    private static final float TRIGRAM_WEIGHT = 0.3f;

    private static final Pattern NOT_IN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    @Override
    public String name() {
        return "hashed-words-256";
    }

    @Override
    public int dimensions() {
        return DIMENSIONS;
    }

    @Override
    public List<float[]> vectors(List<String> texts) {
        return texts.stream().map(HashedWords::vector).toList();
    }

    private static float[] vector(String text) {
        var vector = new float[DIMENSIONS];
        for (String word : NOT_IN_WORDS.split(text.toLowerCase(Locale.ROOT))) {
            if (!word.isEmpty()) {
                add(vector, word, 1);
                String bounded = '<' + word + '>';
                for (int i = 0; i + TRIGRAM <= bounded.length(); i++) {
                    add(vector, bounded.substring(i, i + TRIGRAM), TRIGRAM_WEIGHT);
                }
            }
        }
        return normalized(vector);
    }

    private static void add(float[] vector, String part, float weight) {
        int hash = part.hashCode() * 0x9E3779B9; // spreads the bits, whose lower ones depend on few letters
        vector[hash >>> 24] += (hash & 1 << 23) == 0 ? weight : -weight;
    }

    /** Normalizes a vector; without any word it becomes a unit vector. */
    private static float[] normalized(float[] vector) {
        double square = 0;
        for (float value : vector) {
            square += (double) value * value;
        }
        if (square == 0) {
            vector[0] = 1;
            return vector;
        }
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    }
}
