package dev.parley.channels.deltas;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;

/** Hears what goes on in sessions. It is told by the thread that reads the topic, and must not keep it. */
public interface DeltaListener {

    /** Whether a delta is the last one of its turn. */
    static boolean isLast(TurnDelta delta) {
        return delta.kind() == TurnDelta.Kind.DONE || delta.kind() == TurnDelta.Kind.ERROR;
    }

    /** Whether it wants to hear of this session, by its key without the project. */
    boolean wants(String session);

    /** Hears of it. */
    void hear(RecordKey key, TurnDelta delta);
}
