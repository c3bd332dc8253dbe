package dev.parley.channels.deltas;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;

/** Listener of stream deltas, called on the thread that reads the topic; it must return quickly. */
public interface DeltaListener {

    /** Whether a delta is the last one of its turn. */
    static boolean isLast(TurnDelta delta) {
        return delta.kind() == TurnDelta.Kind.DONE || delta.kind() == TurnDelta.Kind.ERROR;
    }

    /** Whether the listener subscribes to this session, by its key without the project. */
    boolean accepts(String session);

    /** A delta of a session. */
    void onDelta(RecordKey key, TurnDelta delta);
}
