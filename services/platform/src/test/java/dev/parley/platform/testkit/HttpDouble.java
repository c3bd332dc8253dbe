package dev.parley.platform.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server that gives prepared replies one after the other and records its requests. It streams, stalls and
 * breaks off as real servers do.
 */
public final class HttpDouble implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<Seen> seen = new ArrayList<>();

    /** A received request. */
    public record Seen(String method, String path, Headers headers, String body) {
        /** The header's first value, or empty. */
        public String header(String name) {
            String value = headers.getFirst(name);
            return value == null ? "" : value;
        }
    }

    /** Writes one reply. */
    @FunctionalInterface
    public interface Reply {
        void write(HttpExchange exchange) throws IOException, InterruptedException;
    }

    /** Writes a stream piece by piece; each piece is sent immediately. */
    @FunctionalInterface
    public interface Script {
        void write(Stream stream) throws IOException, InterruptedException;
    }

    /** An open stream of events. */
    public static final class Stream {
        private final OutputStream out;

        private Stream(OutputStream out) {
            this.out = out;
        }

        /** Sends an event. */
        public Stream event(String data) throws IOException {
            return bytes("data: " + data.replace("\n", "\ndata: ") + "\n\n");
        }

        /** Sends this text unchanged. */
        public Stream bytes(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return this;
        }

        /** Sends only comments until the client has closed the connection, then releases the latch. */
        public void untilClosed(CountDownLatch closed) throws InterruptedException {
            try {
                while (true) {
                    bytes(": still here\n");
                    TimeUnit.MILLISECONDS.sleep(5); // not a wait for a condition: the pace of an idle server
                }
            } catch (IOException e) {
                closed.countDown();
            }
        }
    }

    /** Starts it on a free port of 127.0.0.1. */
    public HttpDouble() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Its base URL, without a slash at the end. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Adds replies to the pending ones; without a pending reply it answers 500. */
    public synchronized HttpDouble answers(Reply... added) {
        replies.addAll(List.of(added));
        return this;
    }

    /** The received requests, in order. */
    public synchronized List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** The body of the last request. */
    public synchronized String lastBody() {
        return seen.getLast().body();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Reply reply = next(exchange);
        try (exchange) {
            reply.write(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Reply next(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        seen.add(new Seen(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
        Reply reply = replies.poll();
        return reply == null ? body(500, "text/plain", "the double has no reply left") : reply;
    }

    /**
     * A reply with this body.
     *
     * @param headers name, value, name, value …
     */
    public static Reply body(int status, String type, String body, String... headers) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    /**
     * A reply with JSON.
     *
     * @param headers name, value, name, value …
     */
    public static Reply json(int status, String body, String... headers) {
        return body(status, "application/json", body, headers);
    }

    /** A complete stream of these events. */
    public static Reply events(List<String> data) {
        return stream(stream -> {
            for (String event : data) {
                stream.event(event);
            }
        });
    }

    /** A complete stream of these events. */
    public static Reply events(String... data) {
        return events(List.of(data));
    }

    /** A stream of these events that stays open until the client closes it. */
    public static Reply open(List<String> data, CountDownLatch closed) {
        return stream(stream -> {
            for (String event : data) {
                stream.event(event);
            }
            stream.untilClosed(closed);
        });
    }

    /** A stream of these events that breaks off after them. */
    public static Reply broken(List<String> data) {
        return stream(stream -> {
            for (String event : data) {
                stream.event(event);
            }
            throw new IOException("broken on purpose");
        });
    }

    /** A stream written by a script. If the script throws, the stream breaks off without an end. */
    public static Reply stream(Script script) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            script.write(new Stream(out));
            out.close();
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
