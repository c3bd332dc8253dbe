package dev.parley.channels.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Taken;
import dev.parley.channels.testing.BotSettings;
import dev.parley.channels.testing.ChannelDouble;
import dev.parley.channels.testing.ChannelPluginContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** The contract of channels for systems that exchange signed JSON. */
@Tag("B255")
class WebhookContractTest extends ChannelPluginContract {
    private static final String SECRET = "contract-secret_0123456789";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    protected ChannelPlugin plugin() {
        return new WebhookPlugin();
    }

    @Override
    protected ChannelDouble start() throws IOException {
        return new OtherSystem();
    }

    /** A system that shows each message once, by its id. */
    private static final class OtherSystem implements ChannelDouble {
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final Map<String, JsonNode> messages = new LinkedHashMap<>();
        private final Deque<Fault> faults = new ArrayDeque<>();
        private final List<String> violations = new ArrayList<>();
        private InboundHttp.@Nullable Receiver receiver;
        private int number;

        OtherSystem() throws IOException {
            server.createContext("/", this::receive);
            server.start();
        }

        @Override
        public BotSettings settings() {
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/replies");
            return new BotSettings("hook", url, SECRET, Map.of(), Map.of());
        }

        @Override
        public void postsTo(InboundHttp.Receiver handler) {
            receiver = handler;
        }

        @Override
        public synchronized Person person() {
            return new User(this, "user-" + ++number);
        }

        @Override
        public synchronized boolean failsNext(Fault fault) {
            return faults.add(fault);
        }

        @Override
        public synchronized List<String> violations() {
            return List.copyOf(violations);
        }

        @Override
        public void close() {
            server.stop(0);
        }

        private synchronized void receive(HttpExchange exchange) throws IOException {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String signature = String.valueOf(exchange.getRequestHeaders().getFirst(WebhookSignature.HEADER));
            if (!WebhookSignature.isOf(SECRET, body, signature, Instant.now())) {
                violations.add("a wrong signature");
            }
            JsonNode message = JSON.readTree(body);
            boolean isMessage = message.path("kind").asText().equals("message");
            Fault fault = isMessage ? faults.poll() : null;
            if (fault == null || fault instanceof Fault.LostAnswer) {
                keep(message);
            }
            switch (fault) {
                case null -> answer(exchange, 200, "{}");
                case Fault.TooFast(var pause) -> {
                    exchange.getResponseHeaders().set("Retry-After", Long.toString(pause.toSeconds()));
                    answer(exchange, 429, "{}");
                }
                case Fault.Away _ -> answer(exchange, 502, "{}");
                case Fault.LostAnswer _ -> exchange.close();
                case Fault.Refused(String error) -> answer(exchange, 400, error);
                case Fault.Revoked(String error) -> answer(exchange, 401, error);
            }
        }

        private void keep(JsonNode message) {
            switch (message.path("kind").asText()) {
                case "message" -> messages.putIfAbsent(message.path("id").asText(), message);
                case "edit" -> {
                    var edited =
                            (ObjectNode) messages.get(message.path("message").asText());
                    edited.set("text", message.path("text"));
                }
                default -> {
                    // a sign of activity
                }
            }
        }

        private static void answer(HttpExchange exchange, int status, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        private synchronized List<JsonNode> messages(String chat) {
            return messages.values().stream()
                    .filter(message -> message.path("chat").asText().equals(chat))
                    .toList();
        }

        private boolean posts(ObjectNode message) {
            byte[] body = message.toString().getBytes(StandardCharsets.UTF_8);
            var headers = Map.of("parley-signature", WebhookSignature.of(SECRET, body, Instant.now()));
            try {
                InboundHttp.Answer answer =
                        Objects.requireNonNull(receiver).receive(new InboundHttp.Request(headers, body, "127.0.0.1"));
                return !(answer instanceof InboundHttp.Answer.Untaken(Taken taken) && taken instanceof Taken.NotSafe);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private record User(OtherSystem system, String id) implements ChannelDouble.Person {
        @Override
        public ChannelDouble.Sent writes(String text) {
            ObjectNode message = message();
            message.put("text", text);
            return sent(message);
        }

        @Override
        public Optional<ChannelDouble.Sent> sends(String text, String name, String mimeType, byte[] bytes) {
            ObjectNode message = message();
            var parts = message.putArray("parts");
            parts.addObject().put("kind", "text").put("text", text);
            parts.addObject()
                    .put("kind", "file")
                    .put("name", name)
                    .put("mimeType", mimeType)
                    .put("data", bytes);
            return Optional.of(sent(message));
        }

        private ObjectNode message() {
            ObjectNode message;
            synchronized (system) {
                message = JSON.createObjectNode().put("id", "m-" + ++system.number);
            }
            message.put("chat", "chat-" + id).putObject("user").put("id", id).put("name", "Ann");
            return message;
        }

        private ChannelDouble.Sent sent(ObjectNode message) {
            return new ChannelDouble.Sent() {
                private boolean isAcknowledged = system.posts(message);

                @Override
                public void again() {
                    isAcknowledged = system.posts(message);
                }

                @Override
                public boolean isAcknowledged() {
                    return isAcknowledged;
                }
            };
        }

        @Override
        public List<String> reads() {
            return system.messages("chat-" + id).stream()
                    .map(message -> message.path("text").asText())
                    .toList();
        }

        @Override
        public Optional<List<byte[]>> files() {
            return Optional.of(system.messages("chat-" + id).stream()
                    .filter(message -> message.has("files"))
                    .map(message -> Base64.getDecoder()
                            .decode(message.at("/files/0/data").asText()))
                    .toList());
        }
    }
}
