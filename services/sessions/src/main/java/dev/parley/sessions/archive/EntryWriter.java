package dev.parley.sessions.archive;

import dev.parley.platform.serde.RecordFiles;
import dev.parley.platform.serde.RecordFiles.Encoded;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes records into entries of limited size: {@code {folder}000001.avro}, and so on. */
final class EntryWriter<T> implements AutoCloseable {
    /** Above this size the next session or bank begins another entry. */
    private static final long LARGE = 64L << 20;

    private final RecordFiles<T> files;
    private final ArchiveWriter archive;
    private final String folder;
    private final long[] counts;
    private RecordFiles.@Nullable Writer file;
    private int number;
    private long size;

    EntryWriter(RecordFiles<T> files, ArchiveWriter archive, String folder) {
        this.files = files;
        this.archive = archive;
        this.folder = folder;
        this.counts = new long[files.schemas().size()];
    }

    /** A session or bank begins; it is never split over entries. */
    void begin() throws IOException {
        if (size > LARGE) {
            end();
        }
    }

    void add(Encoded record) throws IOException {
        if (file == null) {
            file = files.writer(archive.entry("%s%06d.avro".formatted(folder, ++number)));
        }
        file.add(record);
        size += record.body().length;
        counts[record.branch()]++;
    }

    private void end() throws IOException {
        if (file != null) {
            file.close();
        }
        file = null;
        size = 0;
    }

    /** Number of records of a type. */
    long count(Class<? extends T> type) {
        return counts[files.branch(type)];
    }

    /** Number of records. */
    long count() {
        return Arrays.stream(counts).sum();
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
