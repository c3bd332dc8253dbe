package dev.parley.tools;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.platform.testkit.TopicTap;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.worker.WorkerSettings;
import dev.parley.tools.builtin.BuiltinTools;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolWorkerIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final KafkaClients CLIENTS = TestInfra.kafka().clients();
    private static final CyclicBarrier THREE = new CyclicBarrier(3);
    private static final CountDownLatch HANGS = new CountDownLatch(1);
    private static Producer<byte[], byte[]> producer;
    private static TopicTap<CallResult> results;
    private static ToolWorker worker;

    private interface Doing {
        String run() throws Exception;
    }

    private record Simple(String name, Doing doing) implements Tool {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(name, "", "{\"type\":\"object\"}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(1));
        }

        @Override
        public ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception {
            return ToolOutput.of(doing.run());
        }
    }

    @BeforeAll
    static void start(@TempDir Path folder) {
        try (var admin = CLIENTS.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
        }
        producer = CLIENTS.producer("test");
        results = TopicTap.on(CLIENTS, Topics.RESULTS);
        var tools = new ArrayList<>(BuiltinTools.all(Clock.systemUTC(), TimeZones.UNKNOWN));
        tools.add(new Simple("meet", () -> "met " + (THREE.await(60, TimeUnit.SECONDS) >= 0)));
        tools.add(new Simple("hang", () -> {
            HANGS.countDown();
            new CountDownLatch(1).await();
            return "never";
        }));
        var settings = WorkerSettings.of("test-" + UUID.randomUUID()).withGrace(Duration.ofSeconds(1));
        worker = new ToolWorker(
                CLIENTS,
                tools,
                null,
                null,
                new BlobStore(folder, 1 << 20),
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
        producer.close();
    }

    private static ToolRequest ask(ToolRequest request) throws Exception {
        send(request);
        return request;
    }

    private static void send(ToolWork work) throws Exception {
        producer.send(RecordCodec.record(Topics.TOOL_REQUESTS, "default/test:tool", work, UUID.randomUUID(), null))
                .get(60, TimeUnit.SECONDS);
    }

    private static ToolAnswered answer(ToolRequest request) {
        return await().atMost(LONG)
                .until(
                        () -> results.heard().stream()
                                .map(TopicTap.Heard::value)
                                .filter(result -> result.callId().equals(request.callId()))
                                .filter(ToolAnswered.class::isInstance)
                                .map(ToolAnswered.class::cast)
                                .toList(),
                        found -> !found.isEmpty())
                .getFirst();
    }

    @Test
    @Tag("I89")
    void answersCallsAndRejectsInvalidArguments() throws Exception {
        var good = ask(ToolRequests.call("echo", "{\"text\":\"hi\"}"));
        var bad = ask(ToolRequests.call("echo", "{\"text\":1}"));
        assertEquals("hi", answer(good).content());
        assertEquals(ToolStatus.ERROR, answer(bad).status());
        assertTrue(answer(bad).content().contains("text"), answer(bad).content());
    }

    @Test
    @Tag("P37")
    void runsCallsOfOneSessionInParallel() throws Exception {
        var calls = List.of(
                ask(ToolRequests.call("meet", "{}")),
                ask(ToolRequests.call("meet", "{}")),
                ask(ToolRequests.call("meet", "{}")));
        calls.forEach(call -> assertEquals("met true", answer(call).content()));
    }

    @Test
    void endsAToolAtItsTimeout() throws Exception {
        var call = ask(ToolRequests.call("hang", "{}", Duration.ofSeconds(2)));
        assertEquals("error: the tool did not answer in time", answer(call).content());
    }

    @Test
    @Tag("P47")
    void endsACancelledTool() throws Exception {
        var call = ask(ToolRequests.call("hang", "{}"));
        assertTrue(HANGS.await(60, TimeUnit.SECONDS));
        send(new CancelCall(call.callId()));
        assertEquals("error: cancelled", answer(call).content());
    }
}
