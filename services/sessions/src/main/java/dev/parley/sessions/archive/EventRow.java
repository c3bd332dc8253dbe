package dev.parley.sessions.archive;

import dev.parley.platform.serde.RecordFiles.Encoded;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code turn-events} or {@code memory-events} on its way into an archive.
 *
 * @param session record key of the session or bank, in UTF-8
 * @param seq sequence number of the event
 * @param order grows with the offset
 * @param files whether the event names files
 * @param event null for a tombstone
 */
record EventRow(
        byte[] session,
        long seq,
        long order,
        boolean files,
        @Nullable Encoded event) {
    /** Session by session, events in order, the newest version of an event last. */
    static final Comparator<EventRow> ORDER = Comparator.comparing(EventRow::session, Arrays::compareUnsigned)
            .thenComparingLong(EventRow::seq)
            .thenComparingLong(EventRow::order);

    private static final int TOMBSTONE = -1;
    private static final int OVERHEAD = 128;

    /** Approximate size in memory, in bytes. */
    int weight() {
        return OVERHEAD + session.length + (event == null ? 0 : event.body().length);
    }

    boolean isSameEvent(EventRow other) {
        return seq == other.seq && Arrays.equals(session, other.session);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeShort(session.length);
        out.write(session);
        out.writeLong(seq);
        out.writeLong(order);
        out.writeBoolean(files);
        out.writeByte(event == null ? TOMBSTONE : event.branch());
        if (event != null) {
            out.writeInt(event.body().length);
            out.write(event.body());
        }
    }

    /** The next row, or null at the end. */
    static @Nullable EventRow read(DataInputStream in) throws IOException {
        int length;
        try {
            length = in.readUnsignedShort();
        } catch (EOFException e) {
            return null;
        }
        byte[] session = in.readNBytes(length);
        long seq = in.readLong();
        long order = in.readLong();
        boolean files = in.readBoolean();
        int branch = in.readByte();
        Encoded event = branch == TOMBSTONE ? null : new Encoded(branch, in.readNBytes(in.readInt()));
        return new EventRow(session, seq, order, files, event);
    }
}
