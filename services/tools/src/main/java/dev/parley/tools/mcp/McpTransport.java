package dev.parley.tools.mcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The transport of JSON messages to and from a server. */
interface McpTransport extends AutoCloseable {
    /** Maximum bytes of a message from a server, and of all messages for one request. */
    int MAX_BYTES = 8 << 20;

    /**
     * A message for the server.
     *
     * @param id the id of a request, or null if no result is expected
     * @param version the negotiated protocol version, or null before that
     */
    record Outgoing(
            @Nullable Object id, String json, @Nullable String version) {}

    /** Receives messages. */
    interface Listener {
        /**
         * A message arrived.
         *
         * @throws IOException when it is invalid
         */
        void onMessage(String json) throws IOException;

        /** The connection is lost. */
        void onLost(IOException cause);
    }

    /** Opens the connection; where that fails, {@link #send} says why. */
    void open(Listener listener);

    /** Sends a message. Its result may be received before this returns. */
    void send(Outgoing message) throws IOException;

    /** Whether results are always received before {@link #send} returns. */
    boolean answersAtOnce();

    /** Stops waiting for the result of this request. */
    void abort(Object id);

    @Override
    void close();

    /**
     * The server is unreachable or violates the protocol. The message is safe to show; the cause is for the log, and
     * quotes no more of the server than the message does.
     */
    class TransportException extends IOException {
        private static final long serialVersionUID = 1;

        TransportException(String message) {
            super(message);
        }

        TransportException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The server has lost the session; the request was not executed. */
    final class SessionLostException extends TransportException {
        private static final long serialVersionUID = 1;

        SessionLostException() {
            super("the server has lost the session");
        }
    }

    /** The request was not sent. */
    final class UnsentException extends TransportException {
        private static final long serialVersionUID = 1;

        UnsentException(String message) {
            super(message);
        }

        UnsentException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
