package dev.parley.domain.memory.machine;

import dev.parley.domain.bank.Vector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of some texts, in their order; of the later ones there may be none.
 *
 * @param generation of the vectors, or null if there are none
 */
record TextVectors(@Nullable String generation, List<Vector> vectors) {
    static final TextVectors NONE = new TextVectors(null, List.of());

    TextVectors {
        vectors = List.copyOf(vectors);
    }

    /** The vector of the text with this index, or null if there is none. */
    @Nullable
    Vector vector(int text) {
        return text < vectors.size() ? vectors.get(text) : null;
    }

    /** The generation of the vector of the text with this index, or null if there is none. */
    @Nullable
    String generation(int text) {
        return text < vectors.size() ? generation : null;
    }
}
