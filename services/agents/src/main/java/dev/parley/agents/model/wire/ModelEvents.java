package dev.parley.agents.model.wire;

import java.io.IOException;

/** Takes what a provider answers, piece by piece, on the thread of the call. */
public interface ModelEvents {
    /** What an event means for who waits for the next one. */
    enum Sign {
        /** The model has not begun to speak: until then the time for the first token runs. */
        SILENT,
        SAID,
        /** The answer is there or has failed: what becomes of the connection does not matter any more. */
        END
    }

    /**
     * One event of a stream.
     *
     * @param data its data, as it came
     * @throws IOException when it makes no sense
     */
    Sign event(String data) throws IOException;

    /** The whole answer of a server that does not stream. @throws IOException when it makes no sense */
    void whole(String body) throws IOException;
}
