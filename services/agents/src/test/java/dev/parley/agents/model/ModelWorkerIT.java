package dev.parley.agents.model;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.budget.BudgetAdmission;
import dev.parley.agents.model.scripted.ScriptedProvider;
import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolDigest;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ModelWork;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.platform.testkit.TopicTap;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.worker.Cancellation;
import dev.parley.platform.worker.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ModelWorkerIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String KEY = "default/test:model";
    private static final KafkaClients CLIENTS = TestInfra.kafka().clients();
    private static final ToolSpec ECHO =
            new ToolSpec("echo", "says it again", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(1));
    private static final Definitions DEFINITIONS = new Definitions() {
        @Override
        public List<Agent> agents() {
            return List.of();
        }

        @Override
        public List<ToolSpec> tools() {
            return List.of(ECHO);
        }

        @Override
        public List<PermissionRule> permissions() {
            return List.of();
        }
    };
    private static Producer<byte[], byte[]> producer;
    private static TopicTap<CallResult> results;
    private static TopicTap<TurnDelta> deltas;
    private static ModelWorker worker;

    @BeforeAll
    static void start() {
        try (var admin = CLIENTS.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
        }
        producer = CLIENTS.producer("test");
        results = TopicTap.on(CLIENTS, Topics.RESULTS);
        deltas = TopicTap.on(CLIENTS, Topics.TURN_DELTAS);
        var settings = WorkerSettings.of("test-" + UUID.randomUUID()).withGrace(Duration.ofSeconds(1));
        worker = new ModelWorker(
                CLIENTS,
                new ModelProviders(
                        List.of(new ScriptedProvider(), new Halves()),
                        new Recordings(List.of(), new BlobStore(Path.of("none"), 0)),
                        Prices.with(List.of(), AccessDirectory.NOTHING),
                        Map.of()),
                (_, _) -> DEFINITIONS,
                BudgetAdmission.NONE,
                settings,
                null,
                Tracing.none(),
                LocalDispatch.closed());
        worker.start();
    }

    @AfterAll
    static void stop() {
        worker.close();
        results.close();
        deltas.close();
        producer.close();
    }

    private static void send(ModelWork work) throws Exception {
        producer.send(RecordCodec.record(Topics.MODEL_REQUESTS, KEY, work, Ids.of("work", work), null))
                .get(10, TimeUnit.SECONDS);
    }

    private static ModelRequest ask(ModelRequests conversation) throws Exception {
        var request = conversation.request();
        send(request);
        return request;
    }

    private static <R extends CallResult> R result(ModelRequest request, Class<R> type) {
        await().atMost(LONG).until(() -> found(request).stream().anyMatch(type::isInstance));
        return type.cast(
                found(request).stream().filter(type::isInstance).findFirst().orElseThrow());
    }

    private static List<CallResult> found(ModelRequest request) {
        return results.heard().stream()
                .map(TopicTap.Heard::value)
                .filter(result -> result.callId().equals(request.callId()))
                .toList();
    }

    private static List<TopicTap.Heard<TurnDelta>> deltasOf(ModelRequest request, Kind kind) {
        return deltas.heard().stream()
                .filter(delta -> delta.value().turnId().equals(request.turnId())
                        && delta.value().kind() == kind)
                .toList();
    }

    private static String joined(ModelRequest request, Kind kind) {
        return deltasOf(request, kind).stream()
                .map(delta -> delta.value().text())
                .collect(Collectors.joining());
    }

    @Test
    @Tag("I71")
    void streamsTheTextBeforeTheResult() throws Exception {
        // When
        var request = ask(new ModelRequests()
                .tools("echo")
                .user("!think hm\n!stream 50 words over 300ms\n!say end\n!call echo {\"text\":\"x\"}"));

        // Then
        var answer = result(request, ModelAnswered.class);
        await().atMost(LONG).until(() -> joined(request, Kind.TOKEN).equals(Message.text(answer.blocks())));
        assertEquals("hm", joined(request, Kind.REASONING));
        assertEquals("{\"text\":\"x\"}", joined(request, Kind.TOOL_ARGUMENTS));
        assertTrue(deltasOf(request, Kind.TOKEN).size() > 5, "it streams");
        assertTrue(deltasOf(request, Kind.TOKEN).stream()
                .allMatch(delta -> delta.key().equals(KEY)));
        long answeredAt = results.heard().stream()
                .filter(result -> result.value() == answer)
                .findFirst()
                .orElseThrow()
                .record()
                .timestamp();
        assertTrue(deltasOf(request, Kind.TOKEN).stream()
                .allMatch(delta -> delta.record().timestamp() <= answeredAt));
        assertEquals("scripted", answer.provider());
        assertTrue(String.valueOf(answer.raw()).contains("\"content\":["));
    }

    /** Streams one character in two deltas and ends with half of one. */
    private static final class Halves implements ModelProvider {
        private static final List<String> PIECES = List.of("a \ud83d", "\ude00 and \ud83d");

        @Override
        public String name() {
            return "halves";
        }

        @Override
        public ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation) {
            PIECES.forEach(stream::text);
            var text = Block.text(String.join("", PIECES));
            return new ModelAnswer(List.of(text), FinishReason.STOP, Usage.NONE, "half", null);
        }
    }

    @Test
    void replacesHalfCharactersAndJoinsSplitOnes() throws Exception {
        var request = ask(new ModelRequests().provider("halves").user("hi"));

        var answer = result(request, ModelAnswered.class);

        assertEquals("a \ud83d\ude00 and \uFFFD", Message.text(answer.blocks()));
        await().atMost(LONG).until(() -> joined(request, Kind.TOKEN).equals(Message.text(answer.blocks())));
    }

    @Test
    @Tag("P47")
    @Tag("K22")
    void cancelKeepsThePartialTextAndTakesEffectAtOnce() throws Exception {
        // Given
        var request = ask(new ModelRequests().user("!stream 600 words over 60s"));
        await().atMost(LONG).until(() -> deltasOf(request, Kind.TOKEN).size() >= 3);

        // When
        long cancelled = System.nanoTime();
        send(new CancelCall(request.callId()));

        // Then
        var failed = result(request, ModelFailed.class);
        long took = results.heard().stream()
                        .filter(result -> result.value() == failed)
                        .findFirst()
                        .orElseThrow()
                        .nanos()
                - cancelled;
        assertEquals(ErrorCategory.CANCELLED, failed.category());
        String partial = Message.text(failed.partial());
        assertTrue(partial.startsWith("the quick brown"), partial);
        await().atMost(LONG).until(() -> joined(request, Kind.TOKEN).equals(partial));
        assertTrue(took < 500_000_000L, "took " + took / 1_000_000 + " ms");
    }

    @Test
    @Tag("I67")
    void failuresAreTypedAndKeepThePartialText() throws Exception {
        var request = ask(new ModelRequests().user("!say half\n!fail rate_limit times 1 retry-after 2s"));
        var failed = result(request, ModelFailed.class);
        assertEquals(ErrorCategory.RATE_LIMIT, failed.category());
        assertEquals(Duration.ofSeconds(2), failed.retryAfter());
        assertEquals("half", Message.text(failed.partial()));
    }

    @Test
    @Tag("K23")
    void anUnknownProviderIsNamedTogetherWithTheKnownOnes() throws Exception {
        var failed = result(ask(new ModelRequests().provider("nobody").user("hi")), ModelFailed.class);
        assertEquals(ErrorCategory.INVALID_REQUEST, failed.category());
        assertEquals("no provider 'nobody'; there are halves, scripted", failed.detail());
    }

    @Test
    void toolsAreFoundByTheirDigests() throws Exception {
        var request = new ModelRequests()
                .user("!call echo {}")
                .request()
                .withTools(List.of(), List.of(new ToolDigest(0, "echo", "", ToolDigest.digest(ECHO))));

        send(request);

        var calls = Message.toolCalls(result(request, ModelAnswered.class).blocks());
        assertEquals("echo", calls.getFirst().name());
    }

    @Test
    void callWithAnUnknownToolDigestIsRetried() throws Exception {
        var request = new ModelRequests()
                .user("!call echo {}")
                .request()
                .withTools(List.of(), List.of(new ToolDigest(0, "echo", "", "of another one")));

        send(request);

        assertEquals(Duration.ZERO, result(request, RetryAfter.class).delay());
    }

    @Test
    void summaryRequestReturnsASummary() throws Exception {
        var request = new ModelRequests().user("my name is Ada").summaryRequest();
        send(request);
        assertTrue(Message.text(result(request, ModelAnswered.class).blocks()).startsWith("Summary of 1 turns"));
    }

    @Test
    @Tag("I67")
    void aCallEndsAtItsDeadline() throws Exception {
        var request = ask(new ModelRequests().timeout(Duration.ofSeconds(2)).user("!stream 60s"));
        assertEquals(ErrorCategory.TIMEOUT, result(request, ModelFailed.class).category());
    }
}
