package dev.parley.memory.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The indexes of the banks that a process owns. Any thread, where each bank has one that writes. */
public final class Indexes implements AutoCloseable {
    private final Vectors vectors;
    private final Map<String, Index> named = new ConcurrentHashMap<>();

    /**
     * @param folder for a file with the vectors, which goes when this is closed or the process ends
     * @param dimensions how many numbers each vector has
     * @throws IOException where the file cannot be made
     */
    public Indexes(Path folder, int dimensions) throws IOException {
        vectors = new Vectors(folder, dimensions);
    }

    /** An empty index; whoever opens it closes it. */
    public Index open() {
        return new Index(vectors);
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
        vectors.close();
    }
}
