package dev.parley.platform.embedding;

import java.util.List;

/** An embedding model: maps texts to vectors of length 1, which are close for texts with similar meanings. */
public interface Embedder {
    /** Name of the model; vectors of different models cannot be compared. */
    String name();

    /** Dimensions of the vectors. */
    int dimensions();

    /** The vectors of texts, in order; long texts are truncated. It may take milliseconds per text. */
    List<float[]> embed(List<String> texts);
}
