package dev.parley.memory.search;

/**
 * The embedding of a text. Embeddings of different generations cannot be compared.
 *
 * @param generation the model that made it
 * @param vector of length 1
 */
public record Embedding(String generation, float[] vector) {
    /** @throws IllegalArgumentException for a zero or infinite vector */
    public Embedding {
        double square = 0;
        for (float number : vector) {
            square += (double) number * number;
        }
        if (!(square > 0) || Double.isInfinite(square)) {
            throw new IllegalArgumentException("a vector of " + generation + " is zero or infinite");
        }
        float[] unit = vector.clone();
        double length = Math.sqrt(square);
        for (int i = 0; i < unit.length; i++) {
            unit[i] = (float) (unit[i] / length);
        }
        vector = unit;
    }
}
