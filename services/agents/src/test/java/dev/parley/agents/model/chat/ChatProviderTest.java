package dev.parley.agents.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChatProviderTest {
    private static final String KEY = "sk-very-secret-0123456789";
    private static final String REFERENCE = "env:KEY";
    private static final String TEXT =
            "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"done\"},\"finish_reason\":\"stop\"}]}";

    private final HttpDouble http;
    private final ChatTalk talk = new ChatTalk();
    private final Cancellation cancellation = new Cancellation();

    ChatProviderTest() throws IOException {
        http = new HttpDouble();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private ModelAnswer call(ProviderConfig config) throws Exception {
        var secrets = new ProviderKeys(new Secrets(Map.of("KEY", KEY), Set.of(REFERENCE)));
        try (var provider = new ChatProvider(config, secrets, new Attachments(new BlobStore(Path.of("none"), 1)))) {
            return provider.call(talk.request(), talk, cancellation);
        }
    }

    private ProviderConfig config(String server) {
        return ChatTalk.config(http.url(), REFERENCE, Map.of("server", server));
    }

    /** Configuration with a short idle timeout. */
    private ProviderConfig quick() {
        ProviderConfig c = config("other");
        var timeouts = new ProviderConfig.Timeouts(
                Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofSeconds(20));
        return new ProviderConfig(
                c.name(), c.kind(), c.baseUrl(), c.apiKey(), c.headers(), c.proxy(), timeouts, null, c.options());
    }

    private ModelFailure failure(HttpDouble.Reply... replies) {
        http.answers(replies);
        talk.user("hi");
        ModelFailure failure = assertThrows(ModelFailure.class, () -> call(config("other")));
        assertFalse(failure.detail().contains(KEY), failure.detail());
        assertFalse(failure.detail().contains("very-secret"), failure.detail());
        return failure;
    }

    /** The second step returns all items of the first that each kind of server requires. */
    @ParameterizedTest
    @EnumSource(ServerQuirks.Server.class)
    @Tag("P24")
    void strictServersAcceptAConversationWithTools(ServerQuirks.Server server) throws Exception {
        String signature = "\"extra_content\":{\"google\": {\"thought_signature\":\"c2ln\\/\"}}";
        var strict = new StrictChat(server);
        http.answers(
                strict.reply(
                        http,
                        HttpDouble.events(
                                "{\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"reasoning_content\":\"hm\"}}]}",
                                "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{\\\"n\\\":1.0}\"},"
                                        + signature
                                        + "},{\"index\":1,\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"\"}}]}}]}",
                                "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
                                "[DONE]")),
                strict.reply(http, HttpDouble.events(TEXT, "[DONE]")));
        talk.prompt("Be kind.").user("go");
        talk.requests.tools("t");
        String name = server.name().toLowerCase(Locale.ROOT);

        ModelAnswer first = call(config(name));
        assertEquals(FinishReason.TOOL_CALLS, first.finish());
        strict.signed("a", signature).signed("a", "\"arguments\":\"{\\\"n\\\":1.0}\"");
        talk.own(first.blocks().toArray(Block[]::new)).result("a", "one").result("b", "two");
        ModelAnswer second = call(config(name));

        assertEquals("done", Message.text(second.blocks()));
        assertEquals("/chat/completions", http.seen().getFirst().path());
        assertEquals("Bearer " + KEY, http.seen().getFirst().header("Authorization"));
    }

    @Test
    void sendsNoKeyIfNoneIsConfigured() throws Exception {
        http.answers(HttpDouble.events(TEXT));
        talk.user("hi");
        call(ChatTalk.config(http.url(), null, Map.of()));
        assertEquals("", http.seen().getFirst().header("Authorization"));
    }

    @Test
    void ignoresCommentLines() throws Exception {
        http.answers(HttpDouble.stream(
                s -> s.bytes(": OPENROUTER PROCESSING\n\n: keep-alive\n\n").event(TEXT)));
        talk.user("hi");
        assertEquals(TEXT, call(config("openrouter")).raw());
    }

    @Test
    void readsAnAnswerWithoutStreaming() throws Exception {
        http.answers(HttpDouble.json(
                200, "{\"choices\":[{\"message\":{\"content\":\"done\"},\"finish_reason\":\"stop\"}]}"));
        talk.user("hi");
        assertEquals("done", Message.text(call(config("other")).blocks()));
    }

    @ParameterizedTest
    @CsvSource({
        "401,AUTH",
        "402,AUTH",
        "404,NOT_FOUND",
        "400,INVALID_REQUEST",
        "429,RATE_LIMIT",
        "500,SERVER",
        "503,OVERLOADED",
        "529,OVERLOADED"
    })
    @Tag("K23")
    void mapsErrorResponsesToCategories(int status, ErrorCategory category) {
        String body = "{\"error\":{\"message\":\"Incorrect API key provided: " + KEY + "\"}}";
        ModelFailure failure = failure(HttpDouble.json(status, body, "retry-after", "7"));
        assertEquals(category, failure.category());
        assertEquals(Duration.ofSeconds(7), failure.retryAfter());
    }

    @Test
    void distinguishesModerationFromABadKey() {
        // Then
        assertEquals(
                ErrorCategory.CONTENT_FILTER,
                failure(
                                HttpDouble.json(
                                        403,
                                        "{\"error\":{\"code\":403,\"message\":\"x/y requires moderation on Z. Your input was flagged for \\\"violence\\\".\"}}"))
                        .category());
        assertEquals(
                ErrorCategory.AUTH,
                failure(HttpDouble.json(403, "{\"error\":{\"code\":403,\"message\":\"no\"}}"))
                        .category());
    }

    @Test
    void completeAnswerSurvivesAnOpenOrBrokenConnection() throws Exception {
        var closed = new CountDownLatch(1);
        http.answers(HttpDouble.stream(s -> s.event(TEXT).event("[DONE]").untilClosed(closed)), HttpDouble.stream(s -> {
            s.event(TEXT).event("[DONE]");
            throw new IOException("broken on purpose");
        }));
        talk.user("hi");
        assertEquals("done", Message.text(call(quick()).blocks()));
        assertEquals("done", Message.text(call(quick()).blocks()));
        assertTrue(closed.await(10, TimeUnit.SECONDS));
    }

    @Test
    void rejectsAnHtmlPage() {
        assertEquals(
                ErrorCategory.SERVER,
                failure(HttpDouble.body(200, "text/html", "<h1>hi</h1>")).category());
    }

    @Test
    void emptyResponseIsANetworkFailure() {
        assertEquals(ErrorCategory.NETWORK, failure(HttpDouble.events()).category());
    }

    @Test
    void streamThatEndsWithinAnEventIsANetworkFailure() {
        assertEquals(
                ErrorCategory.NETWORK,
                failure(HttpDouble.stream(s -> s.event("{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}")
                                .bytes("data: " + TEXT.substring(0, 20))))
                        .category());
        assertEquals("a", talk.text.toString());
    }

    @Test
    void aConnectionThatBreaksIsAFailureOfTheNetwork() {
        assertEquals(
                ErrorCategory.NETWORK,
                failure(HttpDouble.stream(s -> {
                            s.event("{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}");
                            throw new IOException("gone");
                        }))
                        .category());
    }

    @Test
    void missingKeyIsNamedByItsReference() {
        talk.user("hi");
        var config = ChatTalk.config(http.url(), "env:OTHER", Map.of());
        ModelFailure failure = assertThrows(ModelFailure.class, () -> call(config));
        assertEquals(ErrorCategory.AUTH, failure.category());
        assertTrue(failure.detail().contains("env:OTHER"));
        assertTrue(http.seen().isEmpty());
    }
}
