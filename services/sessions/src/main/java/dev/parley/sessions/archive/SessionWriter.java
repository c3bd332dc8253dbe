package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.TurnEvent;
import dev.parley.domain.turn.TurnEvent.MessageAppended;
import dev.parley.domain.turn.TurnEvent.ModelCalled;
import dev.parley.domain.turn.TurnEvent.SessionOpened;
import dev.parley.domain.turn.TurnEvent.TurnAccepted;
import dev.parley.domain.turn.TurnEvent.TurnStarted;
import dev.parley.domain.turn.Unfinished;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.platform.serde.RecordFiles.Encoded;
import dev.parley.sessions.NamedFiles;
import dev.parley.sessions.archive.Manifest.Counts;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Takes rows in order and writes the sessions that they make, whole and at rest, into files of a moderate size. */
final class SessionWriter implements AutoCloseable {
    /** A file of this size takes no further session. */
    private static final long LARGE = 64L << 20;

    private final RecordFiles<TurnEvent> files = RecordFiles.of(TurnEvent.class);
    private final long[] counts = new long[files.schemas().size()];
    private final Set<String> blobs = new TreeSet<>();
    private final Snapshot snapshot;
    private final ArchiveWriter archive;
    private RecordFiles.@Nullable Writer file;
    private int number;
    private long size;
    private long events;

    private byte[] session = {};
    private @Nullable Unfinished unfinished;
    private boolean skipped;
    private long lastSeq;

    SessionWriter(Snapshot snapshot, ArchiveWriter archive) {
        this.snapshot = snapshot;
        this.archive = archive;
    }

    /** The next row. */
    void take(EventRow row) throws IOException {
        Encoded event = row.event();
        if (event == null) {
            return; // erased
        }
        if (!Arrays.equals(row.session(), session)) {
            begin(row);
        }
        if (snapshot.isErased(Snapshot.key(session), row.seq())) {
            return;
        }
        boolean begins = lastSeq == 0 && event.branch() == files.branch(SessionOpened.class);
        boolean follows = lastSeq > 0 && row.seq() == lastSeq + 1;
        if (skipped || !(begins || follows)) {
            skipped |= lastSeq > 0; // what comes after a gap does not follow from what was before it
            return;
        }
        lastSeq = row.seq();
        if (unfinished == null || !unfinished.has(files.decoded(event))) {
            write(row, event);
        }
    }

    private void begin(EventRow row) throws IOException {
        session = row.session();
        lastSeq = 0;
        RecordKey key = Snapshot.key(session);
        unfinished = snapshot.unfinished(key);
        skipped = snapshot.isOfUnfinished(key);
        if (size > LARGE) {
            end();
        }
    }

    private void write(EventRow row, Encoded event) throws IOException {
        if (file == null) {
            file = files.writer(archive.entry("sessions/%06d.avro".formatted(++number)));
        }
        file.add(event);
        size += event.body().length;
        counts[event.branch()]++;
        events++;
        if (row.files()) {
            blobs.addAll(NamedFiles.of(files.decoded(event)));
        }
    }

    private void end() throws IOException {
        if (file != null) {
            file.close();
        }
        file = null;
        size = 0;
    }

    /** The files that were named. */
    Set<String> blobs() {
        return blobs;
    }

    /** How much was written. */
    Counts counts(int blobCount) {
        return new Counts(
                count(SessionOpened.class),
                count(TurnAccepted.class),
                count(TurnStarted.class) + count(MessageAppended.class) + count(ModelCalled.class),
                events,
                blobCount);
    }

    private long count(Class<? extends TurnEvent> type) {
        return counts[files.branch(type)];
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
