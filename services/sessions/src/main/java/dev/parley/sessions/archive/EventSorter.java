package dev.parley.sessions.archive;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * External merge sort of event rows: sorted runs on disk, which are merged. Of duplicates of an event only the newest
 * is kept.
 */
final class EventSorter implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final long maxInMemory;
    private final List<Path> runs = new ArrayList<>();
    private final List<Run> open = new ArrayList<>();
    private List<EventRow> rows = new ArrayList<>();
    private long weight;

    /** @param folder for the runs, which are deleted on close */
    EventSorter(Path folder, long maxInMemory) {
        this.folder = folder;
        this.maxInMemory = maxInMemory;
    }

    void add(EventRow row) throws IOException {
        rows.add(row);
        weight += row.weight();
        if (weight >= maxInMemory) {
            spill();
        }
    }

    private void spill() throws IOException {
        rows.sort(EventRow.ORDER);
        Path run = Files.createTempFile(folder, "events", ".run");
        runs.add(run);
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(run), BUFFER))) {
            for (EventRow row : rows) {
                row.write(out);
            }
        }
        rows = new ArrayList<>();
        weight = 0;
    }

    /** Receives rows. */
    @FunctionalInterface
    interface Sink {
        void accept(EventRow row) throws IOException;
    }

    /** Passes all rows on, in order and without duplicates. */
    void mergeTo(Sink sink) throws IOException {
        var heads = new PriorityQueue<Run>((left, right) -> EventRow.ORDER.compare(left.head(), right.head()));
        rows.sort(EventRow.ORDER);
        heads.addAll(openRuns());
        EventRow last = null;
        while (!heads.isEmpty()) {
            Run run = heads.remove();
            EventRow row = run.head();
            if (last != null && !last.isSameEvent(row)) {
                sink.accept(last);
            }
            last = row;
            if (run.next()) {
                heads.add(run);
            }
        }
        if (last != null) {
            sink.accept(last);
        }
    }

    private List<Run> openRuns() throws IOException {
        open.add(Run.of(rows.iterator()));
        for (Path file : runs) {
            open.add(Run.of(file));
        }
        var nonEmpty = new ArrayList<Run>();
        for (Run run : open) {
            if (run.next()) {
                nonEmpty.add(run);
            }
        }
        return nonEmpty;
    }

    @Override
    public void close() throws IOException {
        for (Run run : open) {
            run.close();
        }
        for (Path file : runs) {
            Files.deleteIfExists(file);
        }
    }

    /** Reads the next row, or null at the end. */
    @FunctionalInterface
    private interface Source {
        @Nullable
        EventRow next() throws IOException;
    }

    /** A sorted run with its current row. */
    private static final class Run {
        private final Source source;
        private final Closeable closed;
        private @Nullable EventRow head;

        Run(Source source, Closeable closed) {
            this.source = source;
            this.closed = closed;
        }

        static Run of(Iterator<EventRow> rows) {
            return new Run(() -> rows.hasNext() ? rows.next() : null, () -> {});
        }

        static Run of(Path file) throws IOException {
            var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
            return new Run(() -> EventRow.read(in), in);
        }

        EventRow head() {
            return Objects.requireNonNull(head);
        }

        /** Advances to the next row, if there is one. */
        boolean next() throws IOException {
            head = source.next();
            return head != null;
        }

        void close() throws IOException {
            closed.close();
        }
    }
}
