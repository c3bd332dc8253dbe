package dev.parley.agents.model.wire;

import java.io.IOException;

/** Takes what a provider answers, piece by piece, on the thread of the call. */
public interface ModelEvents {
    /**
     * One event of a stream.
     *
     * @param data its data, as it came
     * @return whether the model has said something: until then the time for the first token runs
     * @throws IOException when it makes no sense
     */
    boolean event(String data) throws IOException;

    /** The whole answer of a server that does not stream. @throws IOException when it makes no sense */
    void whole(String body) throws IOException;
}
