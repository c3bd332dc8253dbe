package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workflow processes resume after a kill of their server: no step is lost or counted twice. */
class KilledWorkflowIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PROCESSES = 40;

    @TempDir
    Path folder;

    private static void publish(Api api, String name, String definition) {
        var answer = api.postYaml(
                "/v1/workflows",
                "document: { dsl: '1.0.3', namespace: test, name: %s, version: '1.0.0' }\n%s"
                        .formatted(name, definition));
        assertEquals(201, answer.status(), answer.text());
    }

    private static String start(Api api, String name, Map<String, Object> body) {
        return api.post("/v1/workflows/test:" + name + "/instances", body)
                .json()
                .path("id")
                .asText();
    }

    private static JsonNode completed(Api api, String process) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.get("/v1/processes/" + process + "?fresh=true")
                                .json(),
                        response -> response.hasNonNull("completedAt"));
    }

    @Test
    @Tag("W41")
    @Tag("W13")
    @Tag("W19")
    void processesResumeAfterAKillAndDueTimersFire() throws IOException {
        Path data = folder.resolve("data");
        Path config = Files.writeString(
                folder.resolve("parley.yml"),
                "tools: { allowedHosts: [\"127.0.0.1\"] }\ncommandsAsRoot: true\nworkflows: { shell: { hosts: [default] } }\n");
        Path runLog = folder.resolve("ran");
        var environment = Map.of("PARLEY_CONFIG", config.toString());
        var release = new CountDownLatch(1);
        try (var called = new HttpDouble()) {
            String call;
            String timer;
            String person;
            String command;
            var processes = new ArrayList<String>();
            try (ParleyProcess first = ParleyProcess.start(data, environment)) {
                // Given
                Api api = first.api();
                publish(api, "call", """
                        do:
                          - note: { set: { order: '${ .order }' }, export: { as: '${ { order: .order } }' } }
                          - pay: { call: http, with: { method: post, endpoint: '%s/pay', body: '${ $context }' } }
                        """.formatted(called.url()));
                publish(api, "timer", "do: [ { nap: { wait: PT5S } }, { end: { set: { n: 1 } } } ]\n");
                publish(api, "person", "do: [ { check: { ask: { prompt: 'Well?' } } } ]\n");
                publish(api, "command", """
                        do: [ { act: { run: { shell: { command: 'echo "$IDEMPOTENCY_KEY" >> %s; sleep 60' } } } } ]
                        """.formatted(runLog));
                publish(api, "many", """
                        do: [ { a: { set: { n: 1 } } }, { b: { wait: PT0.2S } }, { c: { set: { n: '${ .n + 1 }' } } } ]
                        """);
                called.answers(HttpDouble.open(List.of("wait"), release));
                call = start(api, "call", Map.of("input", Map.of("order", "o-1")));
                person = start(api, "person", Map.of());
                command = start(api, "command", Map.of());
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> called.seen().size() == 1 && Files.exists(runLog) && Files.size(runLog) > 0);
                for (int i = 0; i < PROCESSES; i++) {
                    processes.add(start(api, "many", Map.of("instanceId", "m-" + i)));
                }
                timer = start(api, "timer", Map.of());
                JsonNode waiting =
                        api.get("/v1/processes/" + timer + "?fresh=true").json();
                assertFalse(waiting.hasNonNull("completedAt"), waiting.toString());

                // When
                first.kill();
            }
            called.answers(HttpDouble.json(200, "{\"paid\":true}"));
            try (ParleyProcess second = ParleyProcess.start(data, environment)) {
                Api api = second.api();

                // Then the call is made again under the same key, and the process keeps its context
                JsonNode paid = completed(api, call);
                assertTrue(paid.path("output").path("paid").asBoolean(), paid.toString());
                assertEquals("o-1", paid.path("context").path("order").asText());
                assertEquals(2, called.seen().size());
                Set<String> keys = new HashSet<>();
                called.seen().forEach(request -> keys.add(request.header("Idempotency-Key")));
                assertEquals(1, keys.size());
                assertEquals(called.seen().get(0).body(), called.seen().get(1).body());

                // Then the command has run once, and its task reports that the outcome is unknown
                JsonNode acted = completed(api, command);
                assertEquals("F", acted.path("status").asText(), acted.toString());
                assertTrue(acted.path("error").path("detail").asText().contains("outcome unknown"), acted.toString());
                assertEquals(1, Files.readAllLines(runLog).size());

                // Then the timer fires once
                assertEquals(1, completed(api, timer).path("output").path("n").asInt());
                assertEquals(2, api.list("/v1/processes/" + timer + "/tasks").size());

                // Then every accepted process has completed once, and starting it again starts none
                for (String process : processes) {
                    assertEquals(
                            2, completed(api, process).path("output").path("n").asInt());
                    assertEquals(
                            3, api.list("/v1/processes/" + process + "/tasks").size());
                }
                assertEquals(processes.getFirst(), start(api, "many", Map.of("instanceId", "m-0")));

                // Then the task of the person is still open
                String task = Awaitility.await()
                        .atMost(SOON)
                        .until(() -> api.list("/v1/tasks?fresh=true"), tasks -> !tasks.isEmpty())
                        .getFirst()
                        .path("id")
                        .asText();
                assertEquals(
                        200,
                        api.post("/v1/tasks/" + task + "/complete", Map.of("value", "yes"))
                                .status());
                assertEquals("C", completed(api, person).path("status").asText());
            }
        } finally {
            release.countDown();
        }
    }
}
