package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.turn.history.Unfinished;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.platform.serde.RecordFiles.Encoded;
import dev.parley.sessions.NamedFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes sessions from sorted rows, without turns that had not ended at the snapshot. */
final class SessionWriter implements AutoCloseable {
    private final RecordFiles<TurnEvent> files = RecordFiles.of(TurnEvent.class);
    private final Set<String> blobs = new TreeSet<>();
    private final ProjectSnapshot snapshot;
    private final EntryWriter<TurnEvent> entries;

    private byte[] session = {};
    private @Nullable Unfinished unfinished;
    private boolean skipped;
    private long lastSeq;

    SessionWriter(ProjectSnapshot snapshot, ArchiveWriter archive) {
        this.snapshot = snapshot;
        this.entries = new EntryWriter<>(files, archive, Archive.SESSIONS);
    }

    /** Adds the next row. */
    void add(EventRow row) throws IOException {
        Encoded event = row.event();
        if (event == null) {
            return; // erased
        }
        if (!Arrays.equals(row.session(), session)) {
            begin(row);
        }
        if (snapshot.isErased(ProjectSnapshot.key(session), row.seq())) {
            return;
        }
        boolean begins = lastSeq == 0 && event.branch() == files.branch(SessionOpened.class);
        boolean follows = lastSeq > 0 && row.seq() == lastSeq + 1;
        if (skipped || !(begins || follows)) {
            skipped |= lastSeq > 0; // events after a gap do not follow from those before it
            return;
        }
        lastSeq = row.seq();
        if (unfinished == null || !unfinished.has(files.decode(event))) {
            write(row, event);
        }
    }

    private void begin(EventRow row) throws IOException {
        session = row.session();
        lastSeq = 0;
        RecordKey key = ProjectSnapshot.key(session);
        unfinished = snapshot.findUnfinished(key);
        skipped = snapshot.isOfUnfinished(key);
        entries.begin();
    }

    private void write(EventRow row, Encoded event) throws IOException {
        entries.add(event);
        if (row.files()) {
            blobs.addAll(NamedFiles.of(files.decode(event)));
        }
    }

    /** SHA-256 of the files that the sessions name. */
    Set<String> blobs() {
        return blobs;
    }

    /** Number of events of a type written. */
    long count(Class<? extends TurnEvent> type) {
        return entries.count(type);
    }

    /** Number of events written. */
    long count() {
        return entries.count();
    }

    @Override
    public void close() throws IOException {
        entries.close();
    }
}
