package dev.parley.memory.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The indexes of the banks that a process owns. Any thread, where each bank has one that writes. */
public final class Indexes implements AutoCloseable {
    private final Path folder;
    private final Map<Integer, Vectors> vectors = new ConcurrentHashMap<>();
    private final Map<String, Index> named = new ConcurrentHashMap<>();

    /** @param folder for files with the vectors, one for each length of vectors; they go when this is closed or the process ends */
    public Indexes(Path folder) {
        this.folder = folder;
    }

    /** Where vectors of so many numbers are. */
    private Vectors vectors(int dimensions) {
        return vectors.computeIfAbsent(dimensions, any -> {
            try {
                return new Vectors(folder, dimensions);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "vectors cannot be kept in " + folder + ": see whether it can be written", e);
            }
        });
    }

    /** An empty index; whoever opens it closes it. */
    public Index open() {
        return new Index(this::vectors);
    }

    /** The index of this name, empty at first. */
    public Index of(String name) {
        return named.computeIfAbsent(name, any -> open());
    }

    /** Closes the index of this name. */
    public void drop(String name) {
        Index index = named.remove(name);
        if (index != null) {
            index.close();
        }
    }

    /** No index may be used afterwards. */
    @Override
    public void close() throws IOException {
        named.clear();
        for (Vectors some : vectors.values()) {
            some.close();
        }
    }
}
