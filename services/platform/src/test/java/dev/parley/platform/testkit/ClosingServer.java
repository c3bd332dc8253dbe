package dev.parley.platform.testkit;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server that closes a connection after its response unannounced, as servers do when one has been idle. */
public final class ClosingServer implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 30;

    private final ServerSocket socket;
    private final String response;
    private final AtomicInteger requests = new AtomicInteger();
    private final Semaphore closed = new Semaphore(0);

    /** @param json the body of each response */
    public ClosingServer(String json) throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        response = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(json.length(), json);
        Thread.ofVirtual().start(this::serve);
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** Number of requests that it has answered. */
    public int requests() {
        return requests.get();
    }

    /** Waits until it has closed the connection of one more request. */
    public void awaitClosed() throws InterruptedException {
        if (!closed.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("no connection was closed");
        }
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                answer(connection);
            } catch (SocketException e) {
                continue; // closed by the client or by the test
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            closed.release();
        }
    }

    private void answer(Socket connection) throws IOException {
        var in = new BufferedInputStream(connection.getInputStream());
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        in.readNBytes(length);
        requests.incrementAndGet();
        connection.getOutputStream().write(response.getBytes(StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
