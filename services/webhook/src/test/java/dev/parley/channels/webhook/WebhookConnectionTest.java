package dev.parley.channels.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.TestBot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookConnectionTest {
    private static final ConversationAddress PLACE = new ConversationAddress("hook", "C1", null);
    private static final Delivery DELIVERY = new Delivery("id-0", UUID.randomUUID(), null);

    private HttpDouble other;

    @BeforeEach
    void start() throws IOException {
        other = new HttpDouble();
    }

    @AfterEach
    void stop() {
        other.close();
    }

    private static WebhookConnection connection(String url, Dns names) {
        return new WebhookConnection(new TestBot("hook", URI.create(url), "the-secret"), names);
    }

    private String send(String url, Dns names) throws SendFailure, InterruptedException {
        try (WebhookConnection connection = connection(url, names)) {
            return connection.send(PLACE, Piece.Words.plain("hello"), DELIVERY);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "302, REVOKED",
        "400, REFUSED",
        "401, REVOKED",
        "404, CLOSED",
        "410, CLOSED",
        "429, LATER",
        "500, LATER",
        "503, LATER"
    })
    void mapsHttpStatusToTheFailureKind(int status, Kind kind) {
        other.answers(HttpDouble.body(
                status, "text/plain", "the-secret", "Retry-After", "7", "Location", other.url() + "/elsewhere"));

        var failure = assertThrows(SendFailure.class, () -> send(other.url() + "/path-secret", Dns.SYSTEM));

        assertEquals(kind, failure.kind());
        assertEquals(status == 429 || status == 503 ? Duration.ofSeconds(7) : null, failure.retryAfter());
        assertFalse(String.valueOf(failure.getMessage()).contains("secret"), failure.getMessage());
        assertEquals(1, other.seen().size());
    }

    @Test
    void usesTheReceiversMessageIdOrTheDeliveryId() throws SendFailure, InterruptedException {
        // Given
        other.answers(
                HttpDouble.json(200, "{\"message\":\"theirs\"}"),
                HttpDouble.json(200, "{\"message\":null}"),
                HttpDouble.json(200, "{\"message\":{}}"),
                HttpDouble.body(200, "text/plain", "ok"));

        // Then
        assertEquals("theirs", send(other.url().toString(), Dns.SYSTEM));
        assertEquals("id-0", send(other.url().toString(), Dns.SYSTEM));
        assertEquals("id-0", send(other.url().toString(), Dns.SYSTEM));
        HttpDouble.Seen request = other.seen().getFirst();
        assertTrue(WebhookSignature.isOf(
                "the-secret",
                request.body().getBytes(java.nio.charset.StandardCharsets.UTF_8),
                request.header("Parley-Signature"),
                Instant.now()));
    }

    @Test
    void rejectsAHostThatResolvesToAPrivateAddress() {
        Dns tricked = name -> List.of(InetAddress.getLoopbackAddress());
        String url = "http://example.org:" + other.url().getPort();

        var failure = assertThrows(SendFailure.class, () -> send(url, tricked));

        assertEquals(Kind.REVOKED, failure.kind());
        assertEquals(List.of(), other.seen());
    }

    @Test
    void splitsALongTextBetweenParagraphsAndReopensCode() {
        String text = "word ".repeat(30) + "\n\n```java\n" + "int x = 1;\n".repeat(40) + "```\n\nthe end 😀";

        List<String> cut = TextSplitter.split(text, 200);

        assertTrue(cut.size() > 2, cut.toString());
        assertTrue(cut.stream().allMatch(piece -> piece.length() <= 200 && piece.split("```", -1).length % 2 == 1));
        assertEquals(40, String.join("\n", cut).split("int x = 1;", -1).length - 1);
        assertTrue(TextSplitter.split("😀".repeat(300), 101).stream()
                .allMatch(java.nio.charset.StandardCharsets.UTF_8.newEncoder()::canEncode));
        assertEquals(List.of(" "), TextSplitter.split(" ", 100));
    }
}
