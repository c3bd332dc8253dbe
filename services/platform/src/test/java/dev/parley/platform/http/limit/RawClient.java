package dev.parley.platform.http.limit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client that does what no HTTP client does; it lives for a minute at most, for a write has no time-out of its own. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT = 10_000;

    private final Socket socket = new Socket();

    RawClient(int port) {
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT);
            socket.setSoTimeout(TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES).execute(this::close);
    }

    RawClient send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    RawClient send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The head of the next response. */
    String head() {
        return until("\r\n\r\n");
    }

    /** What comes until this text. */
    String until(String end) {
        var text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            while (text.indexOf(end) < 0) {
                int next = in.read();
                if (next < 0) {
                    return text.toString();
                }
                text.append((char) next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** All that comes until the server closes. */
    String rest() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "broken: " + e.getMessage();
        }
    }

    /** Whether the server has closed the connection, within ten seconds. */
    boolean isClosed() {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
