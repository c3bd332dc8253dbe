package dev.parley.agents.model.wire;

import java.io.IOException;

/** Receives the response of a provider, event by event, on the thread of the call. */
public interface ResponseHandler {
    /** The effect of an event on the timeout of the next one. */
    enum Progress {
        /** There is no token yet: the timeout for the first token continues. */
        NO_TOKEN,
        /** A token has arrived: the timeout between tokens starts again. */
        TOKEN,
        /** The answer is complete or has failed: later errors of the connection are ignored. */
        END
    }

    /**
     * An event of the stream.
     *
     * @param data the data of the event, verbatim
     * @throws IOException when it is invalid
     */
    Progress onEvent(String data) throws IOException;

    /**
     * The complete response of a server that does not stream.
     *
     * @throws IOException when it is invalid
     */
    void onBody(String body) throws IOException;
}
