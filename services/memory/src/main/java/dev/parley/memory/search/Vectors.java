package dev.parley.memory.search;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Vectors of all banks of a process, in a memory-mapped file. Any thread. */
final class Vectors implements AutoCloseable {
    /** Vectors mapped at once: about 25 MB. */
    private static final int BLOCK = 1 << 14;

    private final int dimensions;
    private final Path file;
    private final FileChannel channel;
    private final Arena arena = Arena.ofShared();
    private final Deque<Integer> free = new ArrayDeque<>();
    private volatile MemorySegment[] blocks = {};
    private int used;

    Vectors(Path folder, int dimensions) throws IOException {
        this.dimensions = dimensions;
        file = Files.createTempFile(Files.createDirectories(folder), "vectors", ".tmp");
        channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Stores a vector and returns its slot. */
    synchronized int add(float[] vector) {
        if (vector.length != dimensions) {
            throw new IllegalArgumentException(
                    "a vector has " + vector.length + " numbers instead of " + dimensions + ": another model made it");
        }
        int slot = free.isEmpty() ? used++ : free.pop();
        if (slot / BLOCK == blocks.length) {
            map();
        }
        MemorySegment.copy(vector, 0, blocks[slot / BLOCK], ValueLayout.JAVA_FLOAT, offset(slot), dimensions);
        return slot;
    }

    synchronized void remove(int slot) {
        free.push(slot);
    }

    void read(int slot, float[] into) {
        MemorySegment.copy(blocks[slot / BLOCK], ValueLayout.JAVA_FLOAT, offset(slot), into, 0, dimensions);
    }

    float[] read(int slot) {
        float[] vector = new float[dimensions];
        read(slot, vector);
        return vector;
    }

    int dimensions() {
        return dimensions;
    }

    private long offset(int slot) {
        return (long) (slot % BLOCK) * dimensions * Float.BYTES;
    }

    private void map() {
        long bytes = (long) BLOCK * dimensions * Float.BYTES;
        MemorySegment[] extended = Arrays.copyOf(blocks, blocks.length + 1);
        try {
            extended[blocks.length] = channel.map(FileChannel.MapMode.READ_WRITE, blocks.length * bytes, bytes, arena);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("no space for vectors in " + file + ": free space on that disk", e);
        }
        blocks = extended;
    }

    @Override
    public void close() throws IOException {
        arena.close();
        channel.close();
    }
}
