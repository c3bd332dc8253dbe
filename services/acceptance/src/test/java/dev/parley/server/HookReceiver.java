package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An integration that receives replies: it checks the signature, identifies a message by its id, and shows it. */
final class HookReceiver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String secret;
    private final LocalServer server = LocalServer.start().handle("/", this::handle);
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Map<String, JsonNode> shown = new LinkedHashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final List<JsonNode> seen = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    /** A response to a message; status 0 closes the connection after the message is shown. */
    private record Fault(int status, String body, long retryAfter) {}

    HookReceiver(String secret) {
        this.secret = secret;
    }

    String url() {
        return server.url() + "/replies/";
    }

    synchronized void fault(int status, String body, long retryAfter) {
        faults.add(new Fault(status, body, retryAfter));
    }

    /** Removes faults that no request has used. */
    synchronized void clearFaults() {
        faults.clear();
    }

    synchronized void closes(String chat) {
        closed.add(chat);
    }

    /** The messages of a chat as they are now. */
    synchronized List<JsonNode> messages(String chat) {
        return shown.values().stream()
                .filter(message -> message.path("chat").asText().equals(chat))
                .toList();
    }

    /** All requests of a kind. */
    synchronized List<JsonNode> seen(String kind) {
        return seen.stream()
                .filter(request -> request.path("kind").asText().equals(kind))
                .toList();
    }

    /** Violations of the protocol. */
    synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** The signature as specified in docs/channels.md. */
    static String sign(String secret, long timestamp, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signed = mac.doFinal((timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
            return "t=" + timestamp + ",v1=" + HexFormat.of().formatHex(signed);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Fault answer = take(exchange, body);
            if (answer.status() == 0) {
                return; // the connection is closed without a response
            }
            if (answer.retryAfter() > 0) {
                exchange.getResponseHeaders().set("Retry-After", Long.toString(answer.retryAfter()));
            }
            LocalServer.respond(exchange, answer.status(), answer.body());
        }
    }

    private synchronized Fault take(HttpExchange exchange, String body) throws IOException {
        JsonNode json = JSON.readTree(body);
        String signature = exchange.getRequestHeaders().getFirst("Parley-Signature");
        long timestamp = Long.parseLong(signature.substring(2, signature.indexOf(',')));
        if (!signature.equals(sign(secret, timestamp, body))
                || Math.abs(Instant.now().getEpochSecond() - timestamp) > 60) {
            complaints.add("signature: " + signature);
        }
        if (!json.path("id").asText().equals(exchange.getRequestHeaders().getFirst("Idempotency-Key"))) {
            complaints.add("Idempotency-Key of " + json);
        }
        if (!exchange.getRequestURI().getPath().equals("/replies/")) {
            complaints.add("path " + exchange.getRequestURI());
        }
        seen.add(json);
        if (closed.contains(json.path("chat").asText())) {
            return new Fault(410, "", 0);
        }
        return switch (json.path("kind").asText()) {
            case "message" -> message(json);
            case "edit" -> edit(json);
            default -> new Fault(204, "", 0);
        };
    }

    private Fault message(JsonNode json) {
        boolean hasText = !json.path("text").asText().isBlank();
        if (hasText == json.has("files") || !json.path("text").isTextual()) {
            complaints.add("words or files: " + json);
        }
        for (JsonNode file : json.path("files")) {
            int size = Base64.getDecoder().decode(file.path("data").asText()).length;
            if (size != file.path("size").asInt() || size > 5 << 20 || file.size() != 4) {
                complaints.add("a file of " + size + " bytes");
            }
        }
        Fault fault = faults.poll();
        if (fault != null && fault.status() != 0) {
            return fault;
        }
        String reference = "m-" + json.path("id").asText();
        shown.putIfAbsent(reference, json);
        return fault != null ? fault : new Fault(200, "{\"message\":\"" + reference + "\"}", 0);
    }

    private Fault edit(JsonNode json) {
        JsonNode before = shown.get(json.path("message").asText());
        if (before == null) {
            complaints.add("an edit of nothing: " + json);
            return new Fault(400, "", 0);
        }
        shown.put(
                json.path("message").asText(),
                ((com.fasterxml.jackson.databind.node.ObjectNode) before.deepCopy())
                        .put("text", json.path("text").asText()));
        return new Fault(204, "", 0);
    }

    @Override
    public void close() {
        server.close();
    }
}
