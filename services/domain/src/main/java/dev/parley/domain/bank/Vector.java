package dev.parley.domain.bank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The meaning of a text, as numbers. Those that Parley makes have the length 1, so that their product is their cosine. */
public final class Vector {
    private final float[] values;

    private Vector(float[] values) {
        this.values = values;
    }

    /** Of these numbers. */
    public static Vector of(float... values) {
        return new Vector(values.clone());
    }

    /**
     * Of numbers of four bytes each, the lowest first.
     *
     * @throws IllegalArgumentException where the bytes are not a multiple of four
     */
    public static Vector of(ByteBuffer bytes) {
        if (bytes.remaining() % Float.BYTES != 0) {
            throw new IllegalArgumentException("a vector of " + bytes.remaining() + " bytes");
        }
        var values = new float[bytes.remaining() / Float.BYTES];
        bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return new Vector(values);
    }

    /** Its numbers, four bytes each, the lowest first. */
    public ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes;
    }

    /** How many numbers it has. */
    public int size() {
        return values.length;
    }

    /** Whether it points anywhere: its numbers are not all nothing, and none is without bounds. */
    public boolean isDirected() {
        double square = 0;
        for (float value : values) {
            square += (double) value * value;
        }
        return square > 0 && !Double.isInfinite(square);
    }

    /** Its numbers; a copy. */
    public float[] values() {
        return values.clone();
    }

    /**
     * How alike it is to another, from -1 to 1; both have the length 1.
     *
     * @throws IllegalArgumentException where they do not have equally many numbers: they were made by different models
     */
    public double cosine(Vector other) {
        if (values.length != other.values.length) {
            throw new IllegalArgumentException(
                    "vectors of %d and %d numbers cannot be compared".formatted(values.length, other.values.length));
        }
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] * other.values[i];
        }
        return Math.clamp(sum, -1, 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Vector vector && Arrays.equals(values, vector.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "Vector[" + values.length + "]";
    }
}
