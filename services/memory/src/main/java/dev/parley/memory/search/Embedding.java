package dev.parley.memory.search;

/**
 * The meaning of a text as a vector. Vectors of different generations cannot be compared.
 *
 * @param generation what made the vector
 * @param vector of length 1
 */
public record Embedding(String generation, float[] vector) {
    /** @throws IllegalArgumentException where it has no direction */
    public Embedding {
        double square = 0;
        for (float number : vector) {
            square += (double) number * number;
        }
        if (!(square > 0) || Double.isInfinite(square)) {
            throw new IllegalArgumentException("a vector of " + generation + " has no direction");
        }
        float[] unit = vector.clone();
        double length = Math.sqrt(square);
        for (int i = 0; i < unit.length; i++) {
            unit[i] = (float) (unit[i] / length);
        }
        vector = unit;
    }
}
