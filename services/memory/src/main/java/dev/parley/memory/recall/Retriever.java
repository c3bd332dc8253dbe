package dev.parley.memory.recall;

import com.fasterxml.jackson.annotation.JsonKey;
import dev.parley.domain.Coded;
import java.util.EnumSet;
import java.util.Set;

/** A search method of recall. */
public enum Retriever implements Coded {
    /** Vector similarity. */
    SEMANTIC,
    /** Words of the query. */
    KEYWORD,
    /** Connection with items found by similarity: shared entities, links, adjacent messages. */
    GRAPH,
    /** The time that the query names. */
    TEMPORAL;

    public static final Set<Retriever> ALL = Set.copyOf(EnumSet.allOf(Retriever.class));

    /** Its name for clients, for example {@code semantic}. */
    @Override
    @JsonKey
    public String code() {
        return Coded.super.code();
    }
}
