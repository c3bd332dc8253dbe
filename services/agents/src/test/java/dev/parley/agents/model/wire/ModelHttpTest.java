package dev.parley.agents.model.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.testkit.ClosingServer;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ModelHttpTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<String> received = new ArrayList<>();
    private HttpDouble server;
    private ModelHttp http;

    @BeforeEach
    void start() throws IOException {
        server = new HttpDouble();
        http = http(server.url(), null, ProviderConfig.Timeouts.DEFAULT);
    }

    @AfterEach
    void stop() {
        http.close();
        server.close();
    }

    private static ModelHttp http(URI url, @Nullable URI proxy, ProviderConfig.Timeouts timeouts) {
        return new ModelHttp(new ProviderConfig("p", "openai", url, null, Map.of(), proxy, timeouts, null, Map.of()));
    }

    private void post(ModelHttp client, String body) throws ModelFailure, InterruptedException {
        client.post("/x", Map.of(), body, cancellation, new Listener());
    }

    /** Records all events; {@code end} is the last one. */
    private final class Listener implements ResponseHandler {
        @Override
        public Progress onEvent(String data) throws IOException {
            received.add(data);
            switch (data) {
                case "bug" -> throw new IllegalStateException("a bug");
                case "no json" -> VerbatimJson.parse("{\"a\":" + "b".repeat(300));
                default -> {}
            }
            return switch (data) {
                case "end" -> Progress.END;
                case "thinking" -> Progress.NO_TOKEN;
                default -> Progress.TOKEN;
            };
        }

        @Override
        public void onBody(String body) {
            received.add(body);
        }
    }

    @Test
    void ignoresEventsAfterTheLast() throws Exception {
        server.answers(HttpDouble.events("a", "end", "bug"));

        post(http, "{}");

        assertEquals(List.of("a", "end"), received);
    }

    @Test
    void acceptsAnotherCallAfterTheLastEvent() throws Exception {
        server.answers(HttpDouble.events("end"), HttpDouble.events("end"));

        post(http, "{}");
        post(http, "{}");

        assertEquals(List.of("end", "end"), received);
    }

    @Test
    void reachesAServerThatHasClosedTheConnectionOfTheCallBefore() throws Exception {
        try (var closing = new ClosingServer("{}");
                var client = http(closing.url(), null, ProviderConfig.Timeouts.DEFAULT)) {
            post(client, "{}");
            closing.awaitClosed();

            post(client, "{}");

            assertEquals(List.of("{}", "{}"), received);
            assertEquals(2, closing.requests());
        }
    }

    @Test
    void exceptionOfTheReaderPropagates() {
        server.answers(HttpDouble.events("bug"));

        var mistake = assertThrows(IllegalStateException.class, () -> post(http, "{}"));

        assertEquals("a bug", mistake.getMessage());
    }

    @Test
    void invalidJsonIsAServerFailure() {
        server.answers(HttpDouble.events("no json", "end"));

        var failure = assertThrows(ModelFailure.class, () -> post(http, "{}"));

        assertEquals(ErrorCategory.SERVER, failure.category());
        assertNull(failure.getCause(), "it quotes the answer");
    }

    @Test
    void lastEventNeedsNoBlankLine() throws Exception {
        for (String last : List.of("data: b", "data: b\n", "data: b\r\n", "data: b\n\n")) {
            received.clear();
            server.answers(HttpDouble.stream(stream -> stream.event("a").bytes(last)));

            post(http, "{}");

            assertEquals(List.of("a", "b"), received, last);
        }
    }

    @Test
    void streamThatBreaksOffWithinItsLastEventIsNotInvalid() throws Exception {
        server.answers(HttpDouble.stream(stream -> stream.event("a").bytes("data: no json")));

        post(http, "{}");

        assertEquals(List.of("a", "no json"), received);
    }

    @Test
    void delayInTheBodyOfAnErrorIsReported() {
        server.answers(HttpDouble.json(429, """
                [{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[
                {"@type":"type.googleapis.com/google.rpc.Help"},
                {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17.5s"}]}}]"""));

        var failure = assertThrows(ModelFailure.class, () -> post(http, "{}"));

        assertEquals(ErrorCategory.RATE_LIMIT, failure.category());
        assertEquals(Duration.ofMillis(17_500), failure.retryAfter());
    }

    @Test
    void failureOfAConnectionKeepsItsCause() throws IOException {
        // Given
        URI url;
        try (var closed = new HttpDouble()) {
            url = closed.url();
        }
        try (ModelHttp sending = http(url, null, ProviderConfig.Timeouts.DEFAULT)) {
            // When
            var failure = assertThrows(ModelFailure.class, () -> post(sending, "{}"));

            // Then
            assertEquals(ErrorCategory.NETWORK, failure.category());
            assertInstanceOf(IOException.class, failure.getCause());
            assertEquals("the connection to %s failed: %s".formatted(url, failure.getCause()), failure.detail());
        }
    }

    @Test
    @Tag("P47")
    void cancelledCallClearsTheInterrupt() throws Exception {
        // Given
        var speaking = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        server.answers(HttpDouble.stream(stream -> {
            stream.event("a");
            speaking.countDown();
            stream.untilClosed(closed);
        }));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var interrupted = threads.submit(() -> {
                cancellation.onCancel(Thread.currentThread()::interrupt); // as the worker does
                assertThrows(InterruptedException.class, () -> post(http, "{}"));
                return Thread.currentThread().isInterrupted();
            });
            assertTrue(speaking.await(10, TimeUnit.SECONDS));

            // When
            cancellation.cancel(Cancellation.Reason.CANCELLED);

            // Then
            assertFalse(interrupted.get(10, TimeUnit.SECONDS));
            assertTrue(closed.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void timesOutWithoutData() throws Exception {
        // Given
        var closed = new CountDownLatch(2);
        server.answers(
                HttpDouble.stream(stream -> stream.event("thinking").untilClosed(closed)),
                HttpDouble.stream(stream -> stream.event("a").untilClosed(closed)));
        var impatient = new ProviderConfig.Timeouts(
                Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofSeconds(30));
        try (ModelHttp sending = http(server.url(), null, impatient)) {

            // When
            var first = assertThrows(ModelFailure.class, () -> post(sending, "{}"));
            var second = assertThrows(ModelFailure.class, () -> post(sending, "{}"));

            // Then
            assertEquals("TIMEOUT no data within 200 ms", first.category() + " " + first.detail());
            assertEquals("TIMEOUT no further data within 200 ms", second.category() + " " + second.detail());
            assertTrue(closed.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void closeEndsRunningCalls() throws Exception {
        // Given
        var speaking = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        server.answers(HttpDouble.stream(stream -> {
            stream.event("a");
            speaking.countDown();
            stream.untilClosed(closed);
        }));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var call = threads.submit(() -> {
                post(http, "{}");
                return null;
            });
            assertTrue(speaking.await(10, TimeUnit.SECONDS));

            // When
            http.close();

            // Then
            try {
                var failure = assertThrows(ExecutionException.class, () -> call.get(10, TimeUnit.SECONDS));
                assertSame(ModelFailure.class, failure.getCause().getClass());
                assertTrue(closed.await(10, TimeUnit.SECONDS));
            } finally {
                cancellation.cancel(Cancellation.Reason.SHUTDOWN);
            }
        }
    }

    @Test
    void stalledRequestIsNotReportedAsNoConnection() throws Exception {
        // Given
        try (var deaf = new ServerSocket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var url = URI.create("http://127.0.0.1:" + deaf.getLocalPort());
            var quick = new ProviderConfig.Timeouts(
                    Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMillis(200), Duration.ofSeconds(30));
            try (ModelHttp sending = http(url, null, quick)) {
                // When
                var failure = assertThrows(ModelFailure.class, () -> post(sending, "x".repeat(16 << 20)));

                // Then
                assertEquals(ErrorCategory.TIMEOUT, failure.category());
                assertFalse(failure.detail().contains("no connection"), failure.detail());
            }
        }
    }

    @Test
    void proxyResolvesTheHostOfTheProvider() throws Exception {
        server.answers(HttpDouble.events("end"));
        var proxy = URI.create("http://localhost:" + server.url().getPort());
        try (ModelHttp proxied = http(URI.create("http://models.invalid/v1"), proxy, ProviderConfig.Timeouts.DEFAULT)) {
            post(proxied, "{}");
        }

        assertEquals("http://models.invalid/v1/x", server.seen().getFirst().path());
    }
}
