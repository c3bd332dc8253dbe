package dev.parley.platform.http.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may cost, at a server with small limits. */
class HttpGateTest {
    private static final String KEY = "Authorization: Bearer secret\r\n";
    private static final int MIB = 1 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final HttpLimits LIMITS = new HttpLimits(
            40,
            10,
            8,
            6,
            4,
            40 * MIB,
            new HttpLimits.Times(
                    Duration.ofMillis(1_200),
                    Duration.ofMillis(600),
                    Duration.ofMillis(1_200),
                    Duration.ofMillis(1_500),
                    MIB,
                    Duration.ofMillis(800),
                    Duration.ofMillis(500),
                    Duration.ofMillis(100)));

    private static EmbeddedServer server;
    private static HttpGate gate;
    private static HttpClient client;
    private final List<RawClient> clients = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = ApplicationContext.builder()
                .properties(Map.of("test.gate", true, "parley.admin-key", "secret", "micronaut.server.port", -1))
                .singletons(LIMITS)
                .start()
                .getBean(EmbeddedServer.class)
                .start();
        gate = server.getApplicationContext().getBean(HttpGate.class);
        client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    }

    @AfterAll
    static void stop() {
        client.shutdownNow();
        server.getApplicationContext().close();
    }

    /** Nothing of a test's clients is left when they have gone. */
    @AfterEach
    void releasesEverything() {
        clients.forEach(RawClient::close);
        Awaitility.await().untilAsserted(() -> {
            assertEquals(0, gate.bodyBytes(), "bytes of bodies");
            assertEquals(0, gate.streams(), "streams");
            assertTrue(gate.connections() <= 2, gate.connections() + " connections"); // those of the HTTP client
        });
    }

    private RawClient connect() {
        var raw = new RawClient(server.getPort());
        clients.add(raw);
        return raw;
    }

    private static String post(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
    }

    private static int send(String path, int bytes) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer secret")
                .POST(BodyPublishers.ofByteArray(new byte[bytes]))
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }

    /** The time of a request in milliseconds. */
    private static long measure() throws Exception {
        long start = System.nanoTime();
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + "/small"))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer secret")
                .build();
        assertEquals("small", client.send(request, BodyHandlers.ofString()).body());
        return (System.nanoTime() - start) / 1_000_000;
    }

    // ---- bodies

    @ParameterizedTest
    @ValueSource(strings = {"/public", "/usual", "/files", "/nothing"})
    @Tag("B30")
    void refusesABodyByItsLengthBeforeAByteIsSent(String path) {
        // Given
        long handled = GateController.HANDLED.get();

        // When
        String response =
                connect().send(post(path, KEY + "Content-Length: 16777217\r\n")).rest();

        // Then
        assertTrue(response.startsWith("HTTP/1.1 413 "), response);
        assertTrue(response.contains("application/problem+json"), response);
        assertTrue(response.contains("\"code\":\"too_large\""), response);
        assertTrue(response.contains("X-Correlation-Id"), response);
        assertEquals(handled, GateController.HANDLED.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/public", "/usual"})
    @Tag("B30")
    void refusesAnEndlessBodyAtTheLimit(String path) {
        // Given
        long handled = GateController.HANDLED.get();
        RawClient raw = connect().send(post(path, KEY + "Transfer-Encoding: chunked\r\n"));
        String chunk = "1000\r\n" + "x".repeat(0x1000) + "\r\n";

        // When
        try {
            for (int i = 0; i < 1_000; i++) {
                raw.send(chunk);
            }
        } catch (UncheckedIOException e) {
            // closed while sending
        }

        // Then
        assertFalse(raw.rest().contains("200 OK"));
        assertEquals(handled, GateController.HANDLED.get());
    }

    @Test
    void endlessBodyIsAnsweredWithAProblem() {
        // When
        String response = connect()
                .send(post("/public", "Transfer-Encoding: chunked\r\n") + "5000\r\n" + "x".repeat(0x5000) + "\r\n")
                .rest();

        // Then
        assertTrue(response.startsWith("HTTP/1.1 413 "), response);
        assertTrue(response.contains("\"code\":\"too_large\""), response);
    }

    @Test
    @Tag("B30")
    void takesABodyUpToItsLimit() throws Exception {
        assertEquals(200, send("/public", BodySize.SMALL.bytes()));
        assertEquals(413, send("/public", BodySize.SMALL.bytes() + 1));
        assertEquals(200, send("/usual", BodySize.USUAL.bytes()));
        assertEquals(413, send("/usual", BodySize.USUAL.bytes() + 1));
        assertEquals(200, send("/files", BodySize.FILES.bytes()));
        assertEquals(413, send("/files", BodySize.FILES.bytes() + 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Encoding: gzip\r\nContent-Length: 10\r\n",
                "Transfer-Encoding: gzip, chunked\r\n",
                "Content-Encoding: br\r\nTransfer-Encoding: chunked\r\n",
            })
    @Tag("B30")
    void refusesACompressedBody(String headers) {
        String response = connect().send(post("/usual", KEY + headers)).rest();
        assertTrue(response.matches("(?s)HTTP/1.1 4(00|15) .*"), response);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 10\r\nContent-Length: 20\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: 99999999999999999999\r\n",
                "Content-Length: ten\r\n",
            })
    void refusesALyingLength(String headers) {
        String response = connect().send(post("/usual", KEY + headers)).rest();
        assertTrue(response.matches("(?s)HTTP/1.\\d 4(00|13) .*"), response);
    }

    @Test
    @Tag("B30")
    void unknownCallerIsRefusedBeforeTheBodyIsSent() {
        // Given a body that is announced, and not sent
        String headers = "Content-Length: 16000000\r\n";

        // Then
        String unknown = connect().send(post("/files", headers)).head();
        assertTrue(unknown.startsWith("HTTP/1.1 401 "), unknown);
        String continued = connect()
                .send(post("/files", "Expect: 100-continue\r\n" + headers))
                .head();
        assertTrue(continued.startsWith("HTTP/1.1 401 "), continued);
        String known = connect()
                .send(post("/files", KEY + "Expect: 100-continue\r\n" + headers))
                .head();
        assertTrue(known.startsWith("HTTP/1.1 100 "), known);
    }

    @Test
    @Tag("B30")
    void connectionOfARefusedBodyEndsSoon() {
        // Given
        RawClient raw = connect().send(post("/files", "Content-Length: 16000000\r\n"));
        raw.head();

        // When the client goes on with the body, slowly
        raw.send("x");

        // Then
        String rest = raw.rest();
        assertTrue(rest.contains("unauthorized"), rest);
    }

    @Test
    @Tag("B31")
    void bodiesOfAPersonLeaveRoomForOthers() throws Exception {
        // Given a person who begins with bodies of 16 MB each
        String begin = post("/files", KEY + "Expect: 100-continue\r\nContent-Length: 16000000\r\n");
        List<String> heads = IntStream.range(0, 4)
                .mapToObj(_ -> connect().send(begin).head())
                .toList();

        // Then one fits into a person's half, and the bodies of others and small ones still do
        assertEquals(
                1,
                heads.stream().filter(head -> head.startsWith("HTTP/1.1 100")).count(),
                heads.toString());
        assertEquals(
                3,
                heads.stream().filter(head -> head.startsWith("HTTP/1.1 429")).count(),
                heads.toString());
        assertEquals(16_000_000, gate.bodyBytes());
        assertEquals(200, send("/usual", 60_000));

        // When they vanish
        clients.forEach(RawClient::close);

        // Then
        Awaitility.await().until(() -> gate.bodyBytes() == 0);
        assertEquals(200, send("/files", 15 * MIB));
    }

    @Test
    @Tag("B31")
    void bodyOfUnknownLengthIsCountedAsItComes() {
        // Given
        RawClient raw = connect().send(post("/files", KEY + "Transfer-Encoding: chunked\r\n"));
        String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";

        // When
        for (int i = 0; i < 20; i++) {
            raw.send(chunk);
        }

        // Then
        Awaitility.await().until(() -> gate.bodyBytes() >= 20 * 0x10000 - 0x50000);
        assertTrue(raw.send("0\r\n\r\n").head().startsWith("HTTP/1.1 200"));
        Awaitility.await().until(() -> gate.bodyBytes() == 0);
    }

    // ---- time

    @Test
    @Tag("B32")
    void halfSentHeaderIsClosedWithinSeconds() throws Exception {
        // Given
        RawClient fresh = connect().send("GET /small HTTP/1.1\r\nHost: localhost\r\n");
        RawClient used = connect().send("GET /small HTTP/1.1\r\nHost: localhost\r\n" + KEY + "\r\n");
        used.until("small");
        used.send("GET /sma");
        RawClient silent = connect();

        // Then
        assertTrue(fresh.isClosed());
        assertTrue(used.isClosed());
        assertTrue(silent.isClosed());
        measure();
    }

    @Test
    @Tag("B32")
    void idleConnectionIsClosed() {
        RawClient raw = connect().send("GET /small HTTP/1.1\r\nHost: localhost\r\n" + KEY + "\r\n");
        raw.until("small");
        assertTrue(raw.isClosed());
    }

    @Test
    @Tag("B32")
    void slowBodyIsAnsweredWithATimeOut() {
        // When
        String response = connect()
                .send(post("/usual", KEY + "Content-Length: 100\r\n") + "x")
                .rest();

        // Then
        assertTrue(response.startsWith("HTTP/1.1 408 "), response);
        assertTrue(response.contains("\"code\":\"slow_request\""), response);
    }

    @Test
    @Tag("B32")
    void unreadResponseIsGivenUp() {
        // Given a client that asks for much and reads nothing
        connect().send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Awaitility.await().until(() -> gate.connections() > 0);

        // Then
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> gate.connections() <= 1);
    }

    @Test
    void streamStaysOpenBeyondTheTimesOfRequests() {
        // Given
        RawClient raw = connect().send("GET /stream HTTP/1.1\r\nHost: localhost\r\n" + KEY + "\r\n");
        raw.until(": \n\n");

        // Then it is not closed while other connections are
        assertTrue(connect().isClosed());
        assertEquals(1, gate.streams());
    }

    // ---- connections and streams

    @Test
    @Tag("B33")
    void silentConnectionsExcludeNobody() throws Exception {
        // Given more connections than the server takes
        for (int i = 0; i < 100; i++) {
            connect();
        }

        // When
        var times = new ArrayList<Long>();
        for (int i = 0; i < 50; i++) {
            times.add(measure());
        }

        // Then
        Awaitility.await().until(() -> gate.connections() <= LIMITS.connections());
        long p95 = times.stream().sorted().toList().get(47);
        assertTrue(p95 < 1_000, "95 of 100 requests took up to " + p95 + " ms");
    }

    @Test
    @Tag("B33")
    void halfSentRequestsExcludeNobody() throws Exception {
        // Given
        for (int i = 0; i < 100; i++) {
            connect()
                    .send(
                            i % 2 == 0
                                    ? "POST /usual HTTP/1.1\r\nHo"
                                    : post("/public", "Content-Length: 9000\r\n") + "x");
        }

        // Then
        long took = measure();
        assertTrue(took < 5_000, took + " ms");
        Awaitility.await().until(() -> gate.connections() <= LIMITS.connections());
    }

    @Test
    @Tag("B34")
    void streamsBeyondTheLimitAreRefusedAndGivenBack() {
        // Given the key of the installation, which has the limit of a host
        String request = "GET /stream HTTP/1.1\r\nHost: localhost\r\n" + KEY + "\r\n";
        List<RawClient> streams =
                IntStream.range(0, 6).mapToObj(_ -> connect().send(request)).toList();
        streams.forEach(stream -> assertTrue(stream.head().startsWith("HTTP/1.1 200")));
        assertEquals(6, gate.streams());

        // When
        String refused = connect().send(request).until("}");

        // Then
        assertTrue(refused.startsWith("HTTP/1.1 429 "), refused);
        assertTrue(refused.contains("\"code\":\"too_many_streams\""), refused);

        // When one ends
        streams.getFirst().close();
        Awaitility.await().until(() -> gate.streams() == 5);

        // Then
        assertTrue(connect().send(request).head().startsWith("HTTP/1.1 200"));
        assertFalse(gate.streams() > 6);
    }
}
