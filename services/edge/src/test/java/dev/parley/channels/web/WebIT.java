package dev.parley.channels.web;

import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.web.WebInstance.Event;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.testkit.FakeSessions;
import dev.parley.platform.testkit.TestInfra;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebIT {
    @TempDir
    private static Path folder;

    private static KafkaClients clients;
    private static FakeSessions sessions;
    private static WebInstance web;

    @BeforeAll
    static void start() {
        clients = TestInfra.kafka().clients();
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 8, (short) 1).createMissing();
        }
        sessions = new FakeSessions(clients);
        web = new WebInstance(clients, folder);
    }

    @AfterAll
    static void stop() {
        web.close();
        sessions.close();
    }

    private static String field(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(json);
        assertTrue(matcher.find(), name + " in " + json);
        return matcher.group(1);
    }

    private static void assertProblem(int status, String code, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        assertEquals(code, field(response.body(), "code"));
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json"));
    }

    // ---- turns

    @Test
    @Tag("P54")
    @Tag("P7")
    void sameIdempotencyKeyReturnsTheSameTurn() throws Exception {
        var ids = new HashSet<String>();
        for (int i = 0; i < 3; i++) {
            var response = web.post(
                    "/v1/sessions/api:once/turns?wait=60s", "{\"text\":\"hello\"}", "Idempotency-Key", "order-7");
            assertEquals(200, response.statusCode(), response.body());
            ids.add(field(response.body(), "id"));
        }
        assertEquals(1, ids.size());
        assertProblem(
                409,
                "idempotency_mismatch",
                web.post("/v1/sessions/api:once/turns", "{\"text\":\"other\"}", "Idempotency-Key", "order-7"));
    }

    @Test
    @Tag("P52")
    void acceptsATurnAndReturnsTheReplyIfAskedToWait() throws Exception {
        var accepted = web.post("/v1/projects/shop/sessions/api:a/turns", "{\"text\":\"hang\",\"mode\":\"steer\"}");
        assertEquals(202, accepted.statusCode(), accepted.body());
        assertEquals("RUNNING_MODEL", field(accepted.body(), "state"));
        assertEquals(
                "/v1/projects/shop/turns/" + field(accepted.body(), "id"),
                accepted.headers().firstValue("Location").orElse(""));
        var finished = web.post("/v1/sessions/api:b/turns?wait=60s", "{\"text\":\"one two\"}");
        assertEquals(200, finished.statusCode(), finished.body());
        assertEquals("COMPLETED", field(finished.body(), "state"));
        assertEquals("one two", field(finished.body(), "reply"));
        assertEquals("api:b", field(finished.body(), "session"));
    }

    @Test
    void timedOutWaitReturnsTheCurrentState() throws Exception {
        var response = web.post("/v1/sessions/api:slow/turns?wait=100ms", "{\"text\":\"hang\"}");
        assertEquals(202, response.statusCode(), response.body());
        assertEquals("RUNNING_MODEL", field(response.body(), "state"));
    }

    @ParameterizedTest
    @CsvSource({
        "session_archived, 409",
        "session_busy, 409",
        "session_exists, 409",
        "turn_finished, 409",
        "queue_full, 429",
        "too_many_turns, 429",
        "unknown_session, 404",
        "unknown_turn, 404",
        "unknown_agent, 400",
        "empty_message, 400",
        "agent_not_primary, 400",
        "a_code_of_the_future, 409",
    })
    @Tag("I45")
    @Tag("O11")
    void mapsRejectionsToHttpStatus(String code, int status) throws Exception {
        var response = web.post("/v1/sessions/api:refused/turns", "{\"text\":\"refuse " + code + "\"}");
        assertProblem(status, code, response);
        assertEquals(status == 429, response.headers().firstValue("Retry-After").isPresent());
    }

    @Test
    @Tag("P55")
    @Tag("P47")
    void cancelsARunAndATurn() throws Exception {
        web.post("/v1/sessions/api:stop/turns", "{\"text\":\"hang\"}");
        var stopped = web.send(web.request("/v1/sessions/api:stop/run").DELETE());
        assertEquals(202, stopped.statusCode(), stopped.body());
        assertProblem(
                409,
                "no_active_turn",
                web.send(web.request("/v1/sessions/api:stop/run").DELETE()));
        var turn = field(
                web.post("/v1/sessions/api:stop/turns", "{\"text\":\"hang\"}").body(), "id");
        assertEquals(
                202,
                web.post("/v1/sessions/api:stop/turns/" + turn + "/cancel", "").statusCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"x\":1} | unknown_field",
                "/v1/sessions/api:x/turns | {} | missing_field",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"parts\":[]} | missing_field",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"mode\":\"loud\"} | invalid_mode",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"settings\":{\"temperature\":3}} | invalid_settings",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"settings\":{\"thinking\":\"hard\"}} | invalid_settings",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"settings\":{\"stop\":[null]}} | invalid_settings",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"settings\":{\"skills\":[null]}} | invalid_settings",
                "/v1/sessions/api:x/turns | {\"text\":\"a\",\"settings\":{\"hostedTools\":[]}} | unknown_field",
                "/v1/sessions/api:x/turns | {\"text\":\"half \\ud800 a pair\"} | invalid_text",
                "/v1/sessions/api:x/turns | {\"parts\":[{\"kind\":\"text\",\"text\":\"\\udc00\"}]} | invalid_text",
                "/v1/sessions/api:x/turns | {\"parts\":[null]} | invalid_part",
                "/v1/sessions/api:x/turns | {\"parts\":[{\"kind\":\"smell\"}]} | invalid_part",
                "/v1/sessions/api:x/turns | {\"parts\":[{\"kind\":\"file\",\"name\":\"a\",\"data\":\"%\"}]} | invalid_part",
                "/v1/sessions/api:x/turns?wait=long | {\"text\":\"a\"} | invalid_wait",
                "/v1/sessions/a%20b/turns | {\"text\":\"a\"} | invalid_key",
                "/v1/sessions/a%FFb/turns | {\"text\":\"a\"} | invalid_key",
                "/v1/projects/a%20b/sessions/c/turns | {\"text\":\"a\"} | invalid_key",
                "/v1/sessions/api:x/context | {\"reset\":\"all\"} | invalid_reset",
                "/v1/sessions/api:x/context | {\"reset\":\"mark\"} | missing_field",
                "/v1/sessions | {\"title\":\" \"} | invalid_title",
                "/v1/sessions | {\"title\":\"half \\ud800\"} | invalid_text",
                "/v1/sessions/api:x/fork | {\"title\":\"half \\ud800\"} | invalid_text",
                "/v1/sessions/api:x/context | {\"reset\":\"mark\",\"label\":\"\\udc00\"} | invalid_text",
                "/v1/sessions/api:x/turns | {\"parts\":[{\"kind\":\"file\",\"name\":\"\\udc00\",\"data\":\"\"}]} | invalid_text",
            })
    void rejectsInvalidRequests(String path, String body, String code) throws Exception {
        assertProblem(400, code, web.post(path, body));
    }

    @Test
    void rejectsOversizedAndMalformedTurns() throws Exception {
        assertProblem(
                413, "too_large", web.post("/v1/sessions/api:x/turns", "{\"text\":\"" + "é".repeat(600_000) + "\"}"));
        assertProblem(
                413, "too_large", web.post("/v1/sessions/api:x/turns", "{\"text\":\"" + "a".repeat(17 << 20) + "\"}"));
        assertProblem(
                400,
                "invalid_idempotency_key",
                web.post("/v1/sessions/api:x/turns", "{\"text\":\"a\"}", "Idempotency-Key", "k".repeat(201)));
        byte[] body = "{\"text\":\"a?b\"}".getBytes(StandardCharsets.UTF_8);
        body[10] = (byte) 0xFF;
        assertProblem(
                400,
                "invalid_utf8",
                web.send(web.request("/v1/sessions/api:x/turns").POST(BodyPublishers.ofByteArray(body))));
    }

    @Test
    void storesAFileInTheBlobStore() throws Exception {
        // Given
        byte[] bytes = {0, 1, 2, (byte) 0xFF};
        String part = "{\"kind\":\"file\",\"name\":\"a.bin\",\"mimeType\":\"application/x-a\",\"data\":\"%s\"}"
                .formatted(Base64.getEncoder().encodeToString(bytes));

        // When
        web.post(
                "/v1/sessions/api:file/turns?wait=60s",
                "{\"parts\":[{\"kind\":\"text\",\"text\":\"look\"}," + part + "]}");

        // Then
        Block.File file = sessions.commands().stream()
                .filter(SubmitTurn.class::isInstance)
                .flatMap(command -> ((SubmitTurn) command).content().stream())
                .filter(Block.File.class::isInstance)
                .map(Block.File.class::cast)
                .findFirst()
                .orElseThrow();
        assertEquals(4, file.size());
        Path stored = web.blobs().get(file.sha256()).orElseThrow();
        assertArrayEquals(bytes, Files.readAllBytes(stored));
    }

    // ---- sessions

    @Test
    @Tag("I40")
    @Tag("P13")
    @Tag("K12")
    void opensAndChangesSessions() throws Exception {
        var opened = web.post("/v1/sessions", "{\"title\":\"Shoes\"}", "Idempotency-Key", "open-1");
        assertEquals(201, opened.statusCode(), opened.body());
        String key = field(opened.body(), "key");
        assertTrue(key.startsWith("api:"), key);
        assertEquals(
                opened.body(),
                web.post("/v1/sessions", "{\"title\":\"Shoes\"}", "Idempotency-Key", "open-1")
                        .body());
        assertEquals(
                202,
                web.send(web.request("/v1/sessions/" + key)
                                .method("PATCH", BodyPublishers.ofString("{\"title\":\"Boots\"}")))
                        .statusCode());
        assertEquals(202, web.post("/v1/sessions/" + key + "/archive", "").statusCode());
        assertEquals(202, web.post("/v1/sessions/" + key + "/reopen", "").statusCode());
        assertEquals(
                202,
                web.post("/v1/sessions/" + key + "/context", "{\"reset\":\"mark\",\"label\":\"a\"}")
                        .statusCode());
        var fork = web.post("/v1/sessions/" + key + "/fork", "{\"target\":\"api:copy\"}");
        assertEquals(201, fork.statusCode(), fork.body());
        assertEquals("api:copy", field(fork.body(), "key"));
        assertEquals(RecordKey.of("api:copy").sessionId(0).toString(), field(fork.body(), "id"));
        assertEquals(202, web.send(web.request("/v1/sessions/" + key).DELETE()).statusCode());
        assertEquals(
                1,
                sessions.commands().stream()
                        .filter(ResetContext.class::isInstance)
                        .count());
        assertEquals(
                1,
                sessions.commands().stream()
                        .filter(ForkSession.class::isInstance)
                        .count());
        assertEquals(
                List.of("OPEN", "OPEN", "RENAME", "ARCHIVE", "REOPEN", "DELETE"),
                sessions.commands().stream()
                        .filter(ChangeSession.class::isInstance)
                        .map(command -> ((ChangeSession) command).change().name())
                        .toList());
    }

    // ---- streams

    private static String text(List<Event> events) {
        return events.stream()
                .filter(event -> event.name().equals("token"))
                .map(event -> field(event.data(), "text"))
                .collect(joining());
    }

    @Test
    @Tag("P52")
    @Tag("I71")
    void streamsAChatFromTheFirstTokenToTheEnd() throws Exception {
        // Given
        var request = web.request("/v1/chat").POST(BodyPublishers.ofString("{\"text\":\"a b c\"}"));

        // When
        try (var stream = web.events(request)) {
            var events = stream.until(event -> false);

            // Then
            assertEquals(
                    List.of("accepted", "started", "token", "token", "token", "done"),
                    events.stream().map(Event::name).toList());
            assertEquals("a b c", text(events));
            assertEquals("a b c", field(events.getLast().data(), "text"));
            assertEquals("COMPLETED", field(events.getLast().data(), "state"));
        }
        assertProblem(404, "unknown_session", web.post("/v1/chat", "{\"text\":\"refuse unknown_session\"}"));
    }

    @Test
    @Tag("P54")
    void resentChatReturnsTheOutcomeOfTheFirst() throws Exception {
        String json = "{\"session\":\"api:again\",\"text\":\"a b\"}";
        for (int i = 0; i < 2; i++) {
            var request =
                    web.request("/v1/chat").header("Idempotency-Key", "again").POST(BodyPublishers.ofString(json));
            try (var stream = web.events(request)) {
                var last = stream.until(event -> false).getLast();
                assertEquals("done", last.name());
                assertEquals("a b", field(last.data(), "text"));
            }
        }
    }

    @Test
    @Tag("P52")
    void streamResumesOnAnyInstanceWithoutGapsOrDuplicates() throws Exception {
        var key = RecordKey.of("api:resume");
        var turn = UUID.randomUUID();
        String first;
        try (var stream = web.events(web.request("/v1/sessions/api:resume/events"))) {
            show(key, turn, 0, 10);
            first = stream.until(event -> event.data().contains("\"4\""))
                    .getLast()
                    .id();
        }
        try (var other = new WebInstance(clients, folder)) {
            show(key, turn, 10, 20);
            try (var old =
                    other.events(other.request("/v1/sessions/api:resume/events").header("Last-Event-ID", first))) {
                assertEquals(
                        numbers(5, 15), texts(old.until(event -> event.data().contains("\"14\""))));
                show(key, turn, 20, 3_000);
                assertEquals(
                        numbers(15, 3_000),
                        texts(old.until(event -> event.data().contains("\"2999\""))));
            }
            try (var repeated = web.events(web.request("/v1/sessions/api:resume/events?lastEventId=" + first))) {
                assertEquals(
                        numbers(5, 3_000),
                        texts(repeated.until(event -> event.data().contains("\"2999\""))),
                        "older than the hub remembers");
            }
        }
    }

    private static void show(RecordKey key, UUID turn, int from, int to) {
        for (int i = from; i < to; i++) {
            sessions.show(key, TurnDelta.of(turn, TurnDelta.Kind.TOKEN, 0, 1, Integer.toString(i)));
        }
    }

    private static List<String> numbers(int from, int to) {
        var numbers = new ArrayList<String>();
        for (int i = from; i < to; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    private static List<String> texts(List<Event> events) {
        return events.stream().map(event -> field(event.data(), "text")).toList();
    }

    @Test
    void turnStreamEndsWithTheTurn() throws Exception {
        // Given
        String turn = field(
                web.post("/v1/sessions/api:one/turns?wait=60s", "{\"text\":\"x y\"}")
                        .body(),
                "id");
        web.post("/v1/sessions/api:one/turns?wait=60s", "{\"text\":\"z\"}");

        // Then
        try (var stream = web.events(web.request("/v1/sessions/api:one/events?turn=" + turn))) {
            assertEquals(
                    List.of("started", "token", "token", "done"),
                    stream.until(event -> false).stream().map(Event::name).toList());
        }
        assertProblem(400, "invalid_event_id", web.get("/v1/sessions/api:one/events?lastEventId=x"));
    }

    // ---- permissions

    @Test
    @Tag("P53")
    void ticketOpensAStreamWithoutAnApiKey() throws Exception {
        assertProblem(
                401,
                "unauthorized",
                web.send(web.request("/v1/tickets")
                        .setHeader("Authorization", "Bearer no")
                        .POST(BodyPublishers.noBody())));
        String ticket = field(web.post("/v1/tickets", "").body(), "ticket");
        var turn = UUID.randomUUID();
        try (var stream = web.events(
                HttpRequest.newBuilder(URI.create(web.uri("/v1/sessions/api:ticket/events?ticket=" + ticket))))) {
            show(RecordKey.of("api:ticket"), turn, 0, 1);
            assertEquals("0", field(stream.next().data(), "text"));
        }
    }

    // ---- socket

    private static final class Frames implements WebSocket.Listener {
        private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                frames.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        String next() throws InterruptedException {
            return frames.poll(60, TimeUnit.SECONDS);
        }

        /** The next frame of this type. */
        String next(String type) throws InterruptedException {
            String frame = next();
            while (frame != null && !field(frame, "type").equals(type)) {
                frame = next();
            }
            return frame;
        }
    }

    private static WebSocket socket(Frames frames, String query, String key) {
        var builder = web.client().newWebSocketBuilder();
        if (key != null) {
            builder.header("Authorization", "Bearer " + key);
        }
        return builder.buildAsync(URI.create(web.uri("/v1/ws" + query).replace("http:", "ws:")), frames)
                .join();
    }

    @Test
    @Tag("P52")
    void webSocketSubmitsAndStreamsTurns() throws Exception {
        var frames = new Frames();
        var socket = socket(frames, "", WebInstance.KEY);
        socket.sendText("{\"type\":\"turn\",\"session\":\"ws:a\",\"text\":\"a b\",\"id\":\"7\"}", true)
                .join();
        String accepted = frames.next();
        assertEquals("accepted", field(accepted, "type"));
        assertEquals("7", field(accepted, "ref"));
        assertEquals("started", field(frames.next(), "type"));
        assertEquals("a ", field(frames.next(), "text"));
        assertEquals("b", field(frames.next(), "text"));
        assertEquals("a b", field(frames.next("done"), "text"));
        socket.sendText("{\"type\":\"turn\",\"session\":\"ws:a\",\"text\":\"hang\"}", true)
                .join();
        frames.next("started");
        socket.sendText("{\"type\":\"cancel\",\"session\":\"ws:a\"}", true).join();
        assertEquals("CANCELLED", field(frames.next("done"), "state"));
        socket.abort();
    }

    @Test
    void invalidFrameReturnsAnErrorAndKeepsTheWebSocketOpen() throws Exception {
        var frames = new Frames();
        String ticket = field(web.post("/v1/tickets", "").body(), "ticket");
        var socket = socket(frames, "?ticket=" + ticket, null);
        for (String bad : List.of(
                "hello",
                "[]",
                "{\"type\":\"dance\",\"session\":\"ws:b\"}",
                "{\"type\":\"turn\",\"x\":1}",
                "{\"type\":\"turn\"}")) {
            socket.sendText(bad, true).join();
            assertEquals("error", field(frames.next(), "type"), bad);
        }
        socket.sendText("{\"type\":\"turn\",\"session\":\"ws:b\",\"text\":\"refuse session_busy\"}", true)
                .join();
        assertEquals("session_busy", field(frames.next(), "code"));
        socket.sendText("{\"type\":\"subscribe\",\"session\":\"ws:b\"}", true).join();
        assertEquals("subscribed", field(frames.next(), "type"));
        show(RecordKey.of("ws:b"), UUID.randomUUID(), 3, 4);
        assertEquals("3", field(frames.next(), "text"));
        socket.abort();
    }

    @Test
    void webSocketNeedsAnApiKey() {
        var failure = assertThrows(CompletionException.class, () -> socket(new Frames(), "", "wrong"));
        assertTrue(String.valueOf(failure.getCause()).contains("Handshake"), String.valueOf(failure.getCause()));
    }

    // ---- health and API description

    @Test
    @Tag("O12")
    void healthAndOpenApiNeedNoKey() throws Exception {
        var live = web.send(HttpRequest.newBuilder(URI.create(web.uri("/health/live"))));
        assertEquals(200, live.statusCode());
        var ready = web.send(HttpRequest.newBuilder(URI.create(web.uri("/health/ready"))));
        assertEquals(200, ready.statusCode(), ready.body());
        assertTrue(ready.body().contains("\"kafka\":{\"status\":\"UP\"}"), ready.body());
        var openapi = web.send(HttpRequest.newBuilder(URI.create(web.uri("/openapi"))));
        assertEquals(200, openapi.statusCode());
        for (String path :
                List.of("/v1/sessions/{key}/turns", "/v1/chat", "/v1/sessions/{key}/events", "/health/ready")) {
            assertTrue(openapi.body().contains(path), path);
        }
        assertFalse(Pattern.compile("\\bCaller\\b").matcher(openapi.body()).find(), "an inner type is shown");
    }

    @Test
    void closedStreamReleasesItsSubscription() throws Exception {
        var hub = web.hub();
        await().until(() -> hub.watching() == 0);
        try (var stream = web.events(web.request("/v1/sessions/api:gone/events"))) {
            assertEquals(200, stream.response().statusCode());
            await().until(() -> hub.watching() == 1);
        }
        show(RecordKey.of("api:gone"), UUID.randomUUID(), 0, 50);
        await().until(() -> hub.watching() == 0);
    }
}
