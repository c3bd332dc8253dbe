package dev.parley.domain.memory.extract;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a new version of a text changes, chunk by chunk. Chunks are the same when their text is, wherever they stand: a text that
 * comes twice, or twice in a text, is worked on once.
 *
 * @param unchanged chunks whose facts are known already
 * @param added chunks whose facts have to be extracted, each text once
 * @param removed hashes of chunks that are no longer there: their facts go
 */
public record Delta(List<Chunk> unchanged, List<Chunk> added, Set<String> removed) {
    public Delta {
        unchanged = List.copyOf(unchanged);
        added = List.copyOf(added);
        removed = Set.copyOf(removed);
    }

    /**
     * Compares a text with what is known of it.
     *
     * @param known {@link Chunk#sha256} of the chunks whose facts are kept
     * @param chunks of the text as it is now
     */
    public static Delta between(Collection<String> known, List<Chunk> chunks) {
        var before = new HashSet<>(known);
        var unchanged = new LinkedHashMap<String, Chunk>();
        var added = new LinkedHashMap<String, Chunk>();
        for (Chunk chunk : chunks) {
            (before.contains(chunk.sha256()) ? unchanged : added).putIfAbsent(chunk.sha256(), chunk);
        }
        var removed = new LinkedHashSet<>(known);
        removed.removeAll(unchanged.keySet());
        return new Delta(List.copyOf(unchanged.values()), List.copyOf(added.values()), removed);
    }

    /** Whether there is nothing to do. */
    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }
}
