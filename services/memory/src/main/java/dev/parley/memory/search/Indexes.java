package dev.parley.memory.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The indexes of the banks of a process, which share vector files. Any thread, with one writer for each bank. */
public final class Indexes implements AutoCloseable {
    private final Path folder;
    private final Map<Integer, Vectors> vectors = new ConcurrentHashMap<>();
    private final Map<String, Index> named = new ConcurrentHashMap<>();

    /** @param folder for vector files, one for each number of dimensions; deleted on close or exit */
    public Indexes(Path folder) {
        this.folder = folder;
    }

    /** The vector store for a number of dimensions. */
    private Vectors vectors(int dimensions) {
        return vectors.computeIfAbsent(dimensions, _ -> {
            try {
                return new Vectors(folder, dimensions);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "vectors cannot be stored in " + folder + ": check that it is writable", e);
            }
        });
    }

    /** A new, empty index; the caller closes it. */
    public Index open() {
        return new Index(this::vectors);
    }

    /** The index with this name, empty at first. */
    public Index of(String name) {
        return named.computeIfAbsent(name, _ -> open());
    }

    /** Closes the index with this name. */
    public void drop(String name) {
        Index index = named.remove(name);
        if (index != null) {
            index.close();
        }
    }

    /** Closes all vector files; no index may be used afterwards. */
    @Override
    public void close() throws IOException {
        named.clear();
        for (Vectors store : vectors.values()) {
            store.close();
        }
    }
}
