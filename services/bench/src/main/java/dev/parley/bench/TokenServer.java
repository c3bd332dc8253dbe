package dev.parley.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A model provider with the Responses API. Each token contains the time at which it is sent. A request with the text
 * {@code N tokens every M ms} is answered at this rate.
 */
final class TokenServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    TokenServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_096);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The message that requests a number of tokens at an interval. */
    static String prompt(int tokens, Duration interval) {
        return "%d tokens every %d ms".formatted(tokens, interval.toMillis());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String[] words = request.substring(0, request.lastIndexOf(" ms\"")).split(" ");
            int tokens = Integer.parseInt(words[words.length - 4].replaceAll(".*\"", ""));
            long millis = Long.parseLong(words[words.length - 1]);
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            stream(exchange.getResponseBody(), tokens, millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stream(OutputStream out, int tokens, long millis) throws IOException, InterruptedException {
        var text = new StringBuilder();
        for (int i = 0; i < tokens; i++) {
            Thread.sleep(millis);
            String token = "t" + System.nanoTime() + " ";
            text.append(token);
            send(out, "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"" + token + "\"}");
        }
        send(out, """
                {"type":"response.completed","response":{"id":"r","status":"completed","model":"tokens","output":[{"id":"m",\
                "type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],\
                "text":"%s"}]}],"usage":{"input_tokens":1,"output_tokens":%d}}}""".formatted(text, tokens));
    }

    private static void send(OutputStream out, String event) throws IOException {
        out.write(("data: " + event + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
