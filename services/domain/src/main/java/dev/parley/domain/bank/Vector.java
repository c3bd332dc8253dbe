package dev.parley.domain.bank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The embedding of a text. Vectors produced by Parley have unit length, so that their dot product is the cosine. */
public final class Vector {
    private final float[] values;

    private Vector(float[] values) {
        this.values = values;
    }

    public static Vector of(float... values) {
        return new Vector(values.clone());
    }

    /**
     * Reads little-endian 32-bit floats.
     *
     * @throws IllegalArgumentException if the number of bytes is not a multiple of four
     */
    public static Vector of(ByteBuffer bytes) {
        if (bytes.remaining() % Float.BYTES != 0) {
            throw new IllegalArgumentException("a vector of " + bytes.remaining() + " bytes");
        }
        var values = new float[bytes.remaining() / Float.BYTES];
        bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return new Vector(values);
    }

    /** The values as little-endian 32-bit floats. */
    public ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes;
    }

    /** The number of dimensions. */
    public int size() {
        return values.length;
    }

    /** Whether the vector has a direction: its norm is finite and not zero. */
    public boolean isDirected() {
        double square = 0;
        for (float value : values) {
            square += (double) value * value;
        }
        return square > 0 && !Double.isInfinite(square);
    }

    /** A copy of the values. */
    public float[] values() {
        return values.clone();
    }

    /**
     * Cosine similarity to another vector, from -1 to 1; both have unit length.
     *
     * @throws IllegalArgumentException if the dimensions differ, as those of different models do
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
