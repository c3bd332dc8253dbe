package dev.parley.tools.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A server of the Model Context Protocol that does as it is told, also what none should do. */
public final class StubMcpServer implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<JsonNode> seen = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
    /** Somebody listens to what is said without being asked. */
    final CountDownLatch heard = new CountDownLatch(1);

    volatile List<String> tools = List.of("search");
    public volatile Answer answer = request -> request.result("{'content':[{'type':'text','text':'found'}]}");
    private volatile String session = UUID.randomUUID().toString();

    /** Answers calls of tools. */
    @FunctionalInterface
    public interface Answer {
        void to(Request request) throws IOException;
    }

    /** A call that wants an answer. */
    public record Request(JsonNode message, HttpExchange exchange) {
        void result(String result) throws IOException {
            json("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(message.get("id"), quoted(result)));
        }

        void error(String text) throws IOException {
            json("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32602,\"message\":\"%s\"}}"
                    .formatted(message.get("id"), text));
        }

        public void json(String text) throws IOException {
            send(exchange, 200, "application/json", text);
        }

        private static String quoted(String text) {
            return text.replace('\'', '"');
        }
    }

    public StubMcpServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mcp", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
    }

    /** All messages of this method. */
    List<JsonNode> seen(String method) {
        return seen.stream()
                .filter(message -> message.path("method").asText("").equals(method))
                .toList();
    }

    /** All messages as they were sent. */
    public List<String> bodies() {
        return bodies;
    }

    /** What its own requests were answered with. */
    List<JsonNode> refusals() {
        return seen.stream().filter(message -> message.has("error")).toList();
    }

    /** Says that its tools have changed. */
    void changeTools(List<String> now) {
        tools = now;
        news.add("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
    }

    /** Forgets everybody. */
    void restart() {
        session = UUID.randomUUID().toString();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestMethod()) {
                case "POST" -> {
                    String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                    bodies.add(text);
                    post(exchange, JSON.readTree(text));
                }
                case "GET" -> stream(exchange);
                default -> exchange.sendResponseHeaders(405, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(HttpExchange exchange, JsonNode message) throws IOException {
        seen.add(message);
        String method = message.path("method").asText("");
        var request = new Request(message, exchange);
        if (method.equals("initialize")) {
            exchange.getResponseHeaders().set("Mcp-Session-Id", session);
            request.result("{'protocolVersion':'2025-06-18','capabilities':{'tools':{'listChanged':true}},"
                    + "'serverInfo':{'name':'stub','version':'1'}}");
            return;
        }
        if (!session.equals(exchange.getRequestHeaders().getFirst("Mcp-Session-Id"))) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        switch (method) {
            case "tools/list" ->
                request.result("{'tools':["
                        + String.join(
                                ",", tools.stream().map(StubMcpServer::tool).toList()) + "]}");
            case "tools/call" -> answer.to(request);
            default -> exchange.sendResponseHeaders(202, -1);
        }
    }

    private static String tool(String name) {
        return "{'name':'%s','description':'Does it','inputSchema':{'type':'object'}}".formatted(name);
    }

    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        heard.countDown();
        while (true) {
            exchange.getResponseBody().write(("data: " + news.take() + "\n\n").getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }
    }

    static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
