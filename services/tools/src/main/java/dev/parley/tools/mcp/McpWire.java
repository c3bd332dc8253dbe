package dev.parley.tools.mcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Carries messages to a server and back, as texts. */
interface McpWire extends AutoCloseable {
    /** Most bytes of a message of a server, and of all that it says to one request. */
    int MOST = 8 << 20;

    /**
     * A message for the server.
     *
     * @param id of a request, or null where no result is expected
     * @param version of the protocol, once it is agreed upon
     */
    record Outgoing(
            @Nullable Object id, String json, @Nullable String version) {}

    /** Takes what comes back. */
    interface Listener {
        /** A message. @throws IOException where it is none */
        void received(String json) throws IOException;

        /** Nothing comes any more. */
        void lost(IOException why);
    }

    /** Begins. */
    void open(Listener listener) throws IOException;

    /** Sends it. What the server says in answer may have been received before this returns. */
    void send(Outgoing message) throws IOException;

    /** Whether a result that was not received when {@link #send} returns will never be. */
    boolean answersAtOnce();

    /** Waits for this request's result no more. */
    void abort(Object id);

    @Override
    void close();

    /** A server did not do as the protocol says, or is not there. The message is safe to show. */
    class WireException extends IOException {
        private static final long serialVersionUID = 1;

        WireException(String why) {
            super(why);
        }
    }

    /** The server has forgotten who we are; nothing was done. */
    final class SessionLostException extends WireException {
        private static final long serialVersionUID = 1;

        SessionLostException() {
            super("the server has forgotten the session");
        }
    }

    /** The request was not heard by anybody. */
    final class UnsentException extends WireException {
        private static final long serialVersionUID = 1;

        UnsentException(String why) {
            super(why);
        }
    }
}
