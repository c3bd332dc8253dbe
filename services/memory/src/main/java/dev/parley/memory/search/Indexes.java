package dev.parley.memory.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The indexes of the banks that a process owns. Any thread, where each bank has one that writes. */
public final class Indexes implements AutoCloseable {
    private final Vectors vectors;
    private final Map<String, Index> banks = new ConcurrentHashMap<>();

    /**
     * @param folder for a file with the vectors, which goes when this is closed or the process ends
     * @param dimensions how many numbers each vector has
     * @throws IOException where the file cannot be made
     */
    public Indexes(Path folder, int dimensions) throws IOException {
        vectors = new Vectors(folder, dimensions);
    }

    /** The index of a bank, empty at first. */
    public Index of(String bank) {
        return banks.computeIfAbsent(bank, any -> new Index(vectors));
    }

    /** Forgets a bank. */
    public void drop(String bank) {
        Index index = banks.remove(bank);
        if (index != null) {
            index.close();
        }
    }

    /** No index may be used afterwards. */
    @Override
    public void close() throws IOException {
        banks.clear();
        vectors.close();
    }
}
