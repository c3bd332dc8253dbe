package dev.parley.platform.embedding;

import java.util.List;

/** Turns texts into vectors of length 1: the more alike two texts are in meaning, the closer their vectors. */
public interface Embedder {
    /** What made the vectors: those of another name cannot be compared with them. */
    String name();

    /** How many numbers a vector has. */
    int dimensions();

    /** The vectors of these texts, in their order. Of a long text its beginning counts. It may take milliseconds a text. */
    List<float[]> embed(List<String> texts);
}
