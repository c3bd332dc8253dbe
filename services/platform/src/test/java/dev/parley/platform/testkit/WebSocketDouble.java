package dev.parley.platform.testkit;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server of HTTP/1.1 and WebSockets on one port of 127.0.0.1, for doubles of platforms that have both. It supports
 * only what our clients send: bodies with a length, messages in one frame.
 */
public final class WebSocketDouble implements AutoCloseable {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    private final ServerSocket server;
    private final Handler handler;
    private final Consumer<Client> opened;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

    /**
     * A request.
     *
     * @param path with its query
     */
    public record Request(String method, String path, Map<String, String> headers, byte[] body) {
        /** The header, or empty. */
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A response. */
    public record Response(int status, Map<String, String> headers, byte[] body) {
        public static Response json(int status, String body) {
            return new Response(
                    status, Map.of("Content-Type", "application/json"), body.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Answers requests. */
    @FunctionalInterface
    public interface Handler {
        /** @return null to break off the connection */
        @Nullable
        Response handle(Request request);
    }

    /** A WebSocket, seen from the server. */
    public static final class Client {
        private final OutputStream out;
        private final Socket socket;
        private volatile Consumer<String> listener = _ -> {};

        /** Its path with its query. */
        public final String path;

        private Client(Socket socket, String path) throws IOException {
            this.socket = socket;
            this.out = socket.getOutputStream();
            this.path = path;
        }

        /** Sets the receiver of the texts that the client sends from now on. */
        public void listen(Consumer<String> to) {
            listener = to;
        }

        /** Sends a text; has no effect on a closed connection. */
        public void send(String text) {
            try {
                frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                cut();
            }
        }

        /** Breaks off the connection. */
        public void cut() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public boolean isOpen() {
            return !socket.isClosed();
        }

        private synchronized void frame(int kind, byte[] bytes) throws IOException {
            out.write(0x80 | kind);
            if (bytes.length < 126) {
                out.write(bytes.length);
            } else if (bytes.length < 1 << 16) {
                out.write(new byte[] {126, (byte) (bytes.length >> 8), (byte) bytes.length});
            } else {
                out.write(new byte[] {
                    127,
                    0,
                    0,
                    0,
                    0,
                    (byte) (bytes.length >> 24),
                    (byte) (bytes.length >> 16),
                    (byte) (bytes.length >> 8),
                    (byte) bytes.length
                });
            }
            out.write(bytes);
            out.flush();
        }

        private void read(DataInputStream in) throws IOException {
            while (true) {
                int kind = in.readUnsignedByte() & 0xF;
                int length = in.readUnsignedByte() & 0x7F;
                if (length == 126) {
                    length = in.readUnsignedShort();
                } else if (length == 127) {
                    length = Math.toIntExact(in.readLong());
                }
                byte[] mask = in.readNBytes(4);
                byte[] bytes = in.readNBytes(length);
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] ^= mask[i % 4];
                }
                switch (kind) {
                    case TEXT -> listener.accept(new String(bytes, StandardCharsets.UTF_8));
                    case PING -> frame(PONG, bytes);
                    case CLOSE -> {
                        frame(CLOSE, bytes);
                        return;
                    }
                    default -> {} // pongs
                }
            }
        }
    }

    /**
     * Starts it on a free port.
     *
     * @param opened receives each WebSocket before anything is read from it
     */
    public WebSocketDouble(Handler handler, Consumer<Client> opened) throws IOException {
        this.handler = handler;
        this.opened = opened;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Its base URL, without a slash at the end. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            var in = new DataInputStream(new BufferedInputStream(connection.getInputStream()));
            Request request = request(in);
            while (request != null) {
                if (request.header("Upgrade").equalsIgnoreCase("websocket")) {
                    upgrade(connection, request);
                    var client = new Client(connection, request.path());
                    opened.accept(client);
                    client.read(in);
                    return;
                }
                Response response = handler.handle(request);
                if (response == null) {
                    return;
                }
                answer(connection.getOutputStream(), response);
                request = request(in);
            }
        } catch (IOException e) {
            // the client has closed
        } finally {
            connections.remove(connection);
        }
    }

    private static @Nullable Request request(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        String[] parts = first.split(" ", 3);
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int border = line.indexOf(':');
            headers.put(line.substring(0, border), line.substring(border + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        return new Request(parts[0], parts[1], headers, in.readNBytes(length));
    }

    private static @Nullable String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private static void answer(OutputStream out, Response response) throws IOException {
        var head = new StringBuilder("HTTP/1.1 " + response.status() + " -\r\n");
        response.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("Content-Length: " + response.body().length + "\r\n\r\n");
        out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        out.write(response.body());
        out.flush();
    }

    private static void upgrade(Socket connection, Request request) throws IOException {
        try {
            byte[] key = (request.header("Sec-WebSocket-Key") + MAGIC).getBytes(StandardCharsets.ISO_8859_1);
            String accept = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(key));
            connection
                    .getOutputStream()
                    .write(("HTTP/1.1 101 -\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                                    + accept + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
