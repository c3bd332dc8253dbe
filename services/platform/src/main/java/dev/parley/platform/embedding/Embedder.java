package dev.parley.platform.embedding;

import java.util.List;

/** An embedding model: maps texts to vectors of length 1, which are close for texts with similar meanings. */
public interface Embedder {
    /** Name of the model; vectors of different models cannot be compared. */
    String name();

    /** Dimensions of the vectors. */
    int dimensions();

    /**
     * The vectors of any texts, in order; long texts are truncated. A text without a visible character has the vector
     * of a dash. It may take milliseconds per text.
     */
    default List<float[]> embed(List<String> texts) {
        return texts.isEmpty()
                ? List.of()
                : vectors(texts.stream().map(EmbeddedText::of).toList());
    }

    /** The vectors of texts that are well-formed Unicode and begin with a visible character; never of none. */
    List<float[]> vectors(List<String> texts);
}
