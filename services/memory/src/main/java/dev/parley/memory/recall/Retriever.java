package dev.parley.memory.recall;

import com.fasterxml.jackson.annotation.JsonKey;
import dev.parley.domain.Coded;
import java.util.EnumSet;
import java.util.Set;

/** A way in which something is found. */
public enum Retriever implements Coded {
    /** Its vector is close to the question's. */
    SEMANTIC,
    /** It has the question's words. */
    KEYWORD,
    /** It is connected with what was found by meaning: by entities, by links, or because it was said next to it. */
    GRAPH,
    /** It is of the time that the question names. */
    TEMPORAL;

    public static final Set<Retriever> ALL = Set.copyOf(EnumSet.allOf(Retriever.class));

    /** Its name for clients, for example {@code semantic}. */
    @JsonKey
}
