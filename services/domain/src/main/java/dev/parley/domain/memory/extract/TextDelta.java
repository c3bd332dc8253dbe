package dev.parley.domain.memory.extract;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The difference between two versions of a text, chunk by chunk. Chunks are compared by text, wherever they are, so
 * that repeated ones are extracted once.
 *
 * @param unchanged chunks already extracted
 * @param added distinct chunks to extract
 * @param removed hashes of chunks that no longer exist, whose facts are retired
 */
public record TextDelta(List<TextChunk> unchanged, List<TextChunk> added, Set<String> removed) {
    public TextDelta {
        unchanged = List.copyOf(unchanged);
        added = List.copyOf(added);
        removed = Set.copyOf(removed);
    }

    /**
     * Compares a text with its known chunks.
     *
     * @param extracted {@link TextChunk#sha256} of the chunks already extracted
     * @param chunks of the new version
     */
    public static TextDelta between(Collection<String> extracted, List<TextChunk> chunks) {
        var before = new HashSet<>(extracted);
        var unchanged = new LinkedHashMap<String, TextChunk>();
        var added = new LinkedHashMap<String, TextChunk>();
        for (TextChunk chunk : chunks) {
            (before.contains(chunk.sha256()) ? unchanged : added).putIfAbsent(chunk.sha256(), chunk);
        }
        var removed = new LinkedHashSet<>(extracted);
        removed.removeAll(unchanged.keySet());
        return new TextDelta(List.copyOf(unchanged.values()), List.copyOf(added.values()), removed);
    }

    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }
}
