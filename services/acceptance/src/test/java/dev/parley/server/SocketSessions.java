package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.testkit.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real sessions over WebSockets, as docs/http.md describes them. */
abstract class SocketSessions {
    private static final Duration SOON = ChannelContract.SOON;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Api api = FetchedChannelsIT.whole().api();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
        http.shutdownNow();
    }

    /** The client end of a socket, and the received frames. */
    private static final class Client implements WebSocket.Listener {
        private final List<JsonNode> frames = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final StringBuilder part = new StringBuilder();
        private WebSocket socket;

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                frames.add(Api.json(part.toString()));
                part.setLength(0);
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket webSocket, int status, String reason) {
            closed.complete(status);
            return null;
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            closed.complete(-1);
        }

        void say(Map<String, Object> message) {
            try {
                socket.sendText(JSON.writeValueAsString(message), true).join();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** The first frame of this type, from this index on. */
        JsonNode await(String type, int from) {
            return Awaitility.await()
                    .atMost(SOON)
                    .until(() -> frames.stream().skip(from).filter(is(type)).findFirst(), java.util.Optional::isPresent)
                    .orElseThrow();
        }

        JsonNode await(String type) {
            return await(type, 0);
        }

        /** The turn events received so far. */
        List<JsonNode> events() {
            return frames.stream().filter(frame -> frame.has("eventId")).toList();
        }

        String streamed() {
            return tokens(events());
        }

        private static java.util.function.Predicate<JsonNode> is(String type) {
            return frame -> frame.path("type").asText().equals(type);
        }
    }

    private static String tokens(List<JsonNode> events) {
        return events.stream()
                .filter(Client.is("token"))
                .map(frame -> frame.path("text").asText())
                .collect(Collectors.joining());
    }

    private Client connect(String key) {
        return connect(key, URI.create(api.url()).getPort());
    }

    private Client connect(String key, int port) {
        var client = new Client();
        client.socket = http.newWebSocketBuilder()
                .header("Authorization", "Bearer " + key)
                .connectTimeout(SOON)
                .buildAsync(URI.create("ws://127.0.0.1:" + port + "/v1/ws"), client)
                .join();
        open.add(client.socket::abort);
        return client;
    }

    private static String session() {
        return "ws:" + UUID.randomUUID();
    }

    @Test
    @Tag("P52")
    void streamsATurnToItsSenderAndToSubscribers() {
        // Given
        String session = session();
        Client speaker = connect(api.key());
        Client watcher = connect(api.key());
        watcher.say(Map.of("type", "subscribe", "session", session, "id", "w1"));
        assertEquals("w1", watcher.await("subscribed").path("ref").asText());

        // When
        speaker.say(Map.of("type", "turn", "session", session, "text", "!stream 10 words over 1s", "id", "t1"));
        JsonNode done = speaker.await("done");
        watcher.await("done");

        // Then
        JsonNode accepted = speaker.await("accepted");
        assertEquals("t1", accepted.path("ref").asText());
        assertEquals(1, accepted.path("seq").asInt());
        assertEquals(done.path("text").asText(), speaker.streamed());
        assertTrue(speaker.events().stream().filter(Client.is("token")).count() > 1, "it came piece by piece");
        assertEquals(speaker.events(), watcher.events());
        assertEquals("started", watcher.events().getFirst().path("type").asText());

        // Then the turn is listed, and a repeated message is the same turn
        JsonNode turn = Awaitility.await()
                .until(
                        () -> api.get("/v1/turns/" + accepted.path("turn").asText()),
                        answer -> answer.json().path("state").asText().equals("COMPLETED"))
                .json();
        assertEquals(done.path("text"), turn.path("reply"));
        int frames = speaker.frames.size();
        speaker.say(Map.of("type", "turn", "session", session, "text", "!stream 10 words over 1s", "id", "t1"));
        assertEquals(accepted.path("turn"), speaker.await("accepted", frames).path("turn"));
        assertEquals(1, api.list("/v1/sessions/" + session + "/turns").size());
    }

    @Test
    @Tag("P52")
    void resumedSubscriptionGetsEveryEventOnce() throws IOException {
        // Given
        String session = session();
        try (var network = new TcpProxy(URI.create(api.url()).getPort())) {
            Client first = connect(api.key(), network.port());
            first.say(Map.of("type", "subscribe", "session", session));
            first.await("subscribed");
            network.cutAfter("\"type\":\"token\"");

            // When the connection breaks during a reply, which then ends
            api.submit(session, "!stream 30 words over 1s", "one");
            Awaitility.await().atMost(SOON).until(network::hasCut);
            Awaitility.await().atMost(SOON).until(() -> {
                var turns = api.get("/v1/sessions/" + session + "/turns");
                return turns.text().contains("\"state\":\"COMPLETED\"");
            });
            first.await("token");
            List<JsonNode> events = new ArrayList<>(first.events());
            int before = events.size();
            Client second = connect(api.key(), network.port());
            second.say(Map.of(
                    "type",
                    "subscribe",
                    "session",
                    session,
                    "lastEventId",
                    events.getLast().path("eventId").asText()));
            JsonNode done = second.await("done");

            // Then
            events.addAll(second.events());
            List<String> ids =
                    events.stream().map(event -> event.path("eventId").asText()).toList();
            assertEquals(ids.stream().distinct().toList(), ids);
            assertEquals(done.path("text").asText(), tokens(events));
            assertTrue(before > 1 && second.events().size() > 1, "it was cut in the middle");
        }
    }

    private Api newcomer() {
        return api.signUp("ws" + UUID.randomUUID().toString().substring(0, 8));
    }

    @Test
    @Tag("P52")
    @Tag("P53")
    void rejectsAccessWithoutPermission() {
        // Given
        var refused = assertThrows(CompletionException.class, () -> connect("wrong"));
        var handshake = (WebSocketHandshakeException) refused.getCause();
        assertEquals(401, handshake.getResponse().statusCode());
        String session = session();
        api.say(session, "!say mine");
        newcomer(); // the first user is the administrator
        Api other = newcomer();
        String project = api.project("Elsewhere");
        JsonNode key = api.post("/v1/api-keys", Map.of("name", "x", "project", project))
                .json();

        // When another user, and a key of another project, address a session
        Client stranger = connect(other.key());
        stranger.say(Map.of("type", "turn", "session", session, "text", "!say intruded"));
        Client limited = connect(key.path("apiKey").asText());
        limited.say(Map.of("type", "turn", "session", session, "text", "!say intruded"));
        limited.say(Map.of("type", "subscribe", "session", session));

        // Then they get the errors of HTTP, and nothing happens
        Api byKey = new Api(api.url(), key.path("apiKey").asText());
        String path = "/v1/sessions/" + session + "/turns";
        assertRefused(
                stranger, 1, other.post(path, Map.of("text", "!say intruded")).code());
        assertRefused(
                limited, 2, byKey.post(path, Map.of("text", "!say intruded")).code());
        awaitTurns(path, 1);

        // When a user subscribes to another user's session, which looks to them like one not opened yet
        Client owner = connect(api.key());
        for (Client client : List.of(owner, stranger)) {
            client.say(Map.of("type", "subscribe", "session", session));
            client.await("subscribed");
        }
        api.say(session, "!say a secret");
        owner.await("done");
        String ownSession = session();
        stranger.say(Map.of("type", "turn", "session", ownSession, "text", "!say my own"));

        // Then they get only the events of their own session
        assertEquals("my own", stranger.await("done").path("text").asText());
        assertEquals("my own", stranger.streamed());
        assertEquals("a secret", owner.streamed());

        // When a key is used in its own project
        limited.say(Map.of("type", "turn", "project", project, "session", session, "text", "!say in its own project"));

        // Then the turn is in a session of that project
        assertEquals("in its own project", limited.await("done").path("text").asText());
        awaitTurns(path, 2);
        awaitTurns("/v1/projects/" + project + "/sessions/" + session + "/turns", 1);

        // When the key is deleted while connected
        int frames = limited.frames.size();
        assertEquals(204, api.delete("/v1/api-keys/" + key.path("id").asText()).status());
        Awaitility.await().atMost(SOON).until(() -> byKey.get("/v1/me").status() == 401);
        limited.say(Map.of("type", "turn", "project", project, "session", session, "text", "!say too late"));

        // Then
        assertEquals("unauthorized", limited.await("error", frames).path("code").asText());
    }

    /** The views lag behind the responses. */
    private void awaitTurns(String path, int count) {
        Awaitility.await().atMost(SOON).until(() -> api.list(path).size() == count);
    }

    private static void assertRefused(Client client, int times, String code) {
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(times, client.frames.size(), () -> client.frames.toString()));
        client.frames.forEach(frame -> {
            assertEquals("error", frame.path("type").asText(), frame.toString());
            assertEquals(code, frame.path("code").asText(), frame.toString());
        });
    }

    @Test
    @Tag("P52")
    void acceptsAMessageDirectlyAfterConnecting() {
        for (int i = 0; i < 50; i++) {
            Client client = connect(api.key());
            client.say(Map.of("type", "subscribe", "session", session(), "id", "now"));
            assertEquals("now", client.await("subscribed").path("ref").asText());
            client.socket.abort();
        }
    }

    @Test
    @Tag("P52")
    void reportsInvalidMessagesAndClosesOnOversizedOnes() {
        // Given
        String session = session();
        Client client = connect(api.key());
        var expected = new ArrayList<String>();
        for (String bad : List.of(
                "hello",
                "[]",
                "{\"type\":\"turn\",\"surprise\":1}",
                "null",
                "{\"type\":\"dance\",\"session\":\"ws:x\"}")) {
            client.socket.sendText(bad, true).join();
            expected.add("bad_message");
        }
        client.say(Map.of("type", "turn", "text", "to whom?"));
        expected.add("missing_field");
        client.say(Map.of("type", "turn", "session", session, "text", ""));
        client.say(Map.of("type", "turn", "session", session, "text", "x", "agent", "nobody-at-all"));
        client.say(Map.of("type", "turn", "session", session, "text", "x".repeat((1 << 20) + 1)));
        String turns = "/v1/sessions/" + session + "/turns";
        expected.add(api.post(turns, Map.of("text", "")).code());
        expected.add(
                api.post(turns, Map.of("text", "x", "agent", "nobody-at-all")).code());
        expected.add(api.post(turns, Map.of("text", "x".repeat((1 << 20) + 1))).code());

        // Then each gets the error of HTTP, and the connection stays open
        Awaitility.await().atMost(SOON).until(() -> client.frames.size() == expected.size());
        assertEquals(
                expected,
                client.frames.stream().map(frame -> frame.path("code").asText()).toList());
        client.say(Map.of("type", "turn", "session", session, "text", "!say still here"));
        assertEquals("still here", client.await("done").path("text").asText());

        // When a message exceeds the limit, in one frame or in many
        for (int frames : List.of(1, 33)) {
            Client tooLong = connect(api.key());
            for (int i = 0; i < frames; i++) {
                tooLong.socket
                        .sendText("x".repeat((2 << 20) / frames + 1), i == frames - 1)
                        .join();
            }

            // Then this connection is closed with a reason; others stay open
            assertEquals(
                    1009,
                    tooLong.closed.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join(),
                    frames + " frames");
        }
        Client next = connect(api.key());
        next.say(Map.of("type", "turn", "session", session, "text", "!say and here"));
        assertEquals("and here", next.await("done").path("text").asText());
    }
}
