package dev.parley.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on a free port of this machine, in place of a system that Parley calls. */
public final class LocalServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads;

    private LocalServer(ExecutorService threads) {
        this.threads = threads;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.start();
    }

    /** Handles requests concurrently. */
    public static LocalServer start() {
        return new LocalServer(Executors.newVirtualThreadPerTaskExecutor());
    }

    /** Handles requests one after the other. */
    static LocalServer serial() {
        return new LocalServer(Executors.newSingleThreadExecutor());
    }

    /** Handles requests whose path begins so. */
    public LocalServer handle(String path, HttpHandler handler) {
        server.createContext(path, handler);
        return this;
    }

    int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Responds with a text. */
    static void respond(HttpExchange exchange, String type, String text) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        respond(exchange, 200, text);
    }

    public static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
