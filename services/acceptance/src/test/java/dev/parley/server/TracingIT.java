package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.server.SpanReceiver.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans of a turn that a collector gets over OTLP. */
class TracingIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CLIENT = "b7ad6b7169203331";
    private static final String TEXT =
            "!call echo {\"text\":\"x\"}\n!then\n!usage in=1000 out=50 cacheRead=800\n!say done";

    private static final String TOKEN = "123456:AAreplicated-token_0123456789";
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private Bot bot;

    @Test
    @Tag("P57")
    void turnIsOneTraceFromSubmissionToDelivery() throws IOException {
        try (var collector = new SpanReceiver();
                var telegram = new FakeTelegram();
                var parley = ParleyProcess.start(
                        folder.resolve("data"),
                        Map.of(
                                "OTEL_EXPORTER_OTLP_ENDPOINT",
                                collector.url(),
                                "OTEL_BSP_SCHEDULE_DELAY",
                                "100",
                                "PARLEY_CONFIG",
                                withBot(telegram)))) {
            Api api = parley.api();

            // When
            JsonNode turn = api.post(
                            "/v1/sessions/web:traced/turns?wait=60s",
                            Map.of("text", TEXT),
                            Map.of("traceparent", "00-" + TRACE + "-" + CLIENT + "-01"))
                    .json();
            api.say("web:other", "!say hello");

            // Then
            assertEquals("done", turn.get("reply").asText());
            Awaitility.await().until(() -> collector.trace(TRACE).size() >= 5);
            Awaitility.await()
                    .until(() -> collector.all().stream()
                            .anyMatch(span -> isAbout(span, "default/web:other")
                                    && span.name().equals("turn")));
            List<Span> spans = collector.trace(TRACE);
            assertEquals(
                    Map.of("submit turn", 1L, "turn", 1L, "model call", 2L, "tool call", 1L),
                    spans.stream().collect(Collectors.groupingBy(Span::name, Collectors.counting())));
            assertTrue(spans.stream().allMatch(span -> isAbout(span, "default/web:traced")), spans.toString());
            assertFalse(collector.all().stream()
                    .anyMatch(span -> isAbout(span, "default/web:traced") && !spans.contains(span)));

            Span border = named(spans, "submit turn").getFirst();
            assertEquals(CLIENT, border.parent());
            assertTrue(
                    spans.stream()
                            .filter(span -> span != border)
                            .allMatch(span -> span.parent().equals(border.id())),
                    spans.toString());

            String session = api.get("/v1/sessions/web:traced").json().get("id").asText();
            assertEquals(
                    Set.of(session),
                    spans.stream()
                            .filter(span -> span != border)
                            .map(span -> span.attribute("session.id"))
                            .collect(Collectors.toSet()));
            assertEquals(
                    turn.get("id").asText(), named(spans, "turn").getFirst().attribute("turn.id"));
            assertEquals("COMPLETED", named(spans, "turn").getFirst().attribute("turn.state"));
            assertEquals("echo", named(spans, "tool call").getFirst().attribute("tool"));
            Span answer = named(spans, "model call").stream()
                    .filter(span -> span.attribute("step").equals("1"))
                    .findFirst()
                    .orElseThrow();
            assertEquals("1000", answer.attribute("tokens.input"));
            assertEquals("50", answer.attribute("tokens.output"));
            assertEquals("800", answer.attribute("tokens.cache_read"));

            // When
            bot.awaitPoll(SOON);
            Chat chat = bot.chat(telegram.user(7, "Ann"));
            chat.says("!say to Ann");
            chat.awaitAnswer("to Ann", SOON);

            // Then
            Span delivery = Awaitility.await()
                    .until(() -> named(collector.all(), "delivery").stream().findFirst(), Optional::isPresent)
                    .orElseThrow();
            List<Span> trace =
                    Awaitility.await().until(() -> collector.trace(delivery.trace()), found -> found.size() == 4);
            assertEquals(
                    Set.of("submit turn", "turn", "model call", "delivery"),
                    trace.stream().map(Span::name).collect(Collectors.toSet()));
            assertEquals(named(trace, "turn").getFirst().attribute("turn.id"), delivery.attribute("turn.id"));
            assertEquals("final", delivery.attribute("reply.kind"));
        }
    }

    private String withBot(FakeTelegram telegram) throws IOException {
        bot = telegram.bot(TOKEN, "parley_bot");
        Files.writeString(folder.resolve("token"), TOKEN);
        return Files.writeString(
                        folder.resolve("parley.yml"),
                        "telegram: [{ token: \"file:%s/token\", apiUrl: \"%s\", allowAll: true }]"
                                .formatted(folder, telegram.url()))
                .toString();
    }

    private static boolean isAbout(Span span, String session) {
        return span.attribute("session.key").equals(session);
    }

    private static List<Span> named(List<Span> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }
}
