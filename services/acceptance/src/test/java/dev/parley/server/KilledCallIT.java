package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.HttpDouble.Reply;
import dev.parley.platform.testkit.HttpDouble.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed during a summary, a delegate's turn and guardrail calls, all at once. The calls are
 * recorded outside of it: each has its own fake server, which does not answer before the kill.
 */
class KilledCallIT {
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private final Map<String, HttpDouble> doubles = new LinkedHashMap<>();

    @AfterEach
    void close() {
        doubles.values().forEach(HttpDouble::close);
    }

    @Test
    @Tag("P6")
    @Tag("G9")
    @Tag("P28")
    void repeatsRepeatableCallsAfterAKillAndEndsEachTurnOnce() throws IOException {
        Path data = folder.resolve("data");
        var environment = Map.of("PARLEY_CONFIG", configure().toString());
        try (ParleyProcess first = ParleyProcess.start(data, environment)) {
            // Given
            Api api = first.api();
            define(api, "judge", "idempotent");
            define(api, "judge_once", "at_most_once");
            provider("short").answers(says("one"), says("two"), hangs());
            provider("boss")
                    .answers(
                            answer(
                                    "{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"d_1\",\"name\":\"delegate\","
                                            + "\"arguments\":\"{\\\"agent\\\":\\\"helper\\\",\\\"task\\\":\\\"name a colour\\\"}\",\"status\":\"completed\"}"));
            provider("helper").answers(hangs());
            provider("judge").answers(hangs());
            provider("judge_once").answers(hangs());
            completeTurn(api, "short", "the first words");
            completeTurn(api, "short", "the second words");
            for (String agent : List.of("boss", "guarded", "strict")) {
                submit(api, agent, "to be killed");
            }
            awaitRequests("short", 3);
            List.of("helper", "judge", "judge_once").forEach(name -> awaitRequests(name, 1));

            // When
            first.kill();
        }
        provider("short").answers(says("SUMMARY ONE"), says("three"), says("SUMMARY TWO"));
        provider("boss").answers(says("it is red"));
        provider("helper").answers(says("red"));
        provider("guarded").answers(says("gladly"));
        provider("judge").answers(HttpDouble.json(200, "{\"action\":\"allow\"}"));
        provider("judge_once").answers(HttpDouble.json(200, "{\"action\":\"allow\"}"));
        try (ParleyProcess second = ParleyProcess.start(data, environment)) {
            Api api = second.api();
            KafkaClients clients = Records.clients(data);

            // Then the summary is requested again, and the next turn uses it
            awaitRequests("short", 4);
            assertSameRequest("short", 2, 3);
            assertTrue(provider("short").seen().get(3).body().contains("the first words"));
            Awaitility.await().atMost(SOON).until(() -> events(clients, "default/web:short", "Summarised") == 1);
            completeTurn(api, "short", "the third words");
            String third = provider("short").seen().get(4).body();
            assertTrue(third.contains("SUMMARY ONE") && third.contains("the second words"), third);
            assertFalse(third.contains("the first words"), third);

            // Then the delegate's call is repeated, and its parent gets one result
            assertEquals("it is red", completedTurn(api, "boss").path("reply").asText());
            assertRequests("helper", 2);
            assertSameRequest("helper", 0, 1);
            assertRequests("boss", 2);
            assertEquals(
                    2,
                    provider("boss").lastBody().split("\"function_call_output\"", -1).length,
                    provider("boss").lastBody());
            String parent = api.get("/v1/sessions/web:boss").json().path("id").asText();
            List<JsonNode> children = Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.list("/v1/sessions?parentId=" + parent), list -> !list.isEmpty());
            assertEquals(1, children.size());
            String child = children.getFirst().path("key").asText();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.list("/v1/sessions/" + child + "/turns").size() == 1);

            // Then an idempotent guardrail call is repeated with the same id, and an at-most-once one blocks
            assertEquals("gladly", completedTurn(api, "guarded").path("reply").asText());
            assertRequests("judge", 2);
            assertSameRequest("judge", 0, 1);
            List<String> ids = provider("judge").seen().stream()
                    .map(request -> request.header("Idempotency-Key"))
                    .toList();
            assertEquals(ids.getFirst(), ids.getLast());
            assertRequests("guarded", 1);
            JsonNode blocked = completedTurn(api, "strict");
            assertTrue(blocked.path("guardrails").toString().contains("\"action\":\"block\""), blocked.toString());
            assertRequests("judge_once", 1);
            assertRequests("strict", 0);
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.list("/v1/projects/default/tool-calls?state=unknown")
                                    .size()
                            == 1);

            // Then each turn has ended once
            for (String agent : List.of("boss", "guarded", "strict")) {
                assertEquals(1, events(clients, "default/web:" + agent, "TurnCompleted"), agent);
            }
            Awaitility.await() // the response precedes the event
                    .atMost(SOON)
                    .until(() -> events(clients, "default/web:short", "TurnCompleted") == 3);
            assertEquals(1, events(clients, "default/" + child, "TurnCompleted"));
        }
    }

    // ---- requests

    private HttpDouble provider(String name) {
        return doubles.get(name);
    }

    private Path configure() throws IOException {
        for (String name : List.of("short", "boss", "helper", "guarded", "strict", "judge", "judge_once")) {
            doubles.put(name, new HttpDouble());
        }
        var yaml = new StringBuilder("tools: { allowedHosts: [\"127.0.0.1\"] }\nproviders:\n");
        Path key = Files.writeString(folder.resolve("key"), "sk-of-this-test");
        for (String name : List.of("short", "boss", "helper", "guarded", "strict")) {
            yaml.append("  %s: { kind: openai, baseUrl: \"%s\", apiKey: \"file:%s\" }%n"
                    .formatted(name, provider(name).url(), key));
        }
        yaml.append("""
                agents:
                  - { name: short, model: short/gpt-5, tools: [echo], limits: { compactAt: 2, keep: 1 } }
                  - { name: boss, model: boss/gpt-5, tools: [delegate] }
                  - { name: helper, description: knows colours, mode: subagent, model: helper/gpt-5, tools: [echo] }
                  - { name: guarded, model: guarded/gpt-5, tools: [echo], guardrails: [{ name: judge, on: input, tool: judge }] }
                  - { name: strict, model: strict/gpt-5, tools: [echo], guardrails: [{ name: judge, on: input, tool: judge_once }] }
                """);
        return Files.writeString(folder.resolve("parley.yml"), yaml);
    }

    private void define(Api api, String name, String effect) {
        var created =
                api.post("/v1/tools", """
                {"name":"%s","description":"Decides","type":"rest","access":"read","effect":"%s","timeout":"60s","parameters":[
                 {"name":"stage","type":"string"},{"name":"agent","type":"string"},{"name":"text","type":"string"}],
                 "implementation":{"url":"%s/decide","method":"POST"}}""".formatted(name, effect, provider(name).url()));
        assertEquals(201, created.status(), created.text());
    }

    /** A response that does not arrive before the caller disconnects. */
    private static Reply hangs() {
        return HttpDouble.stream(stream -> stream.untilClosed(new CountDownLatch(1)));
    }

    private static Reply says(String text) {
        return answer(Responses.message(text));
    }

    private static Reply answer(String item) {
        return HttpDouble.events(
                "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\",\"model\":\"gpt-5\",\"output\":["
                        + item + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}");
    }

    private void awaitRequests(String name, int times) {
        Awaitility.await().atMost(SOON).until(() -> provider(name).seen().size() >= times);
    }

    private void assertRequests(String name, int times) {
        assertEquals(
                times,
                provider(name).seen().size(),
                () -> name + ": " + provider(name).seen());
    }

    private void assertSameRequest(String name, int first, int second) {
        List<Seen> requests = provider(name).seen();
        assertEquals(requests.get(first).body(), requests.get(second).body(), name);
    }

    // ---- turns and events

    private static Api.Answer submit(Api api, String agent, String text) {
        Api.Answer answer = api.post("/v1/sessions/web:" + agent + "/turns", Map.of("text", text, "agent", agent));
        assertEquals(202, answer.status(), answer.text());
        return answer;
    }

    private static void completeTurn(Api api, String agent, String text) {
        JsonNode turn =
                api.turn("web:" + agent, Map.of("text", text, "agent", agent)).json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
    }

    /** The only turn of the agent's session, once it has ended. */
    private static JsonNode completedTurn(Api api, String agent) {
        String turns = "/v1/sessions/web:" + agent + "/turns";
        String id = Awaitility.await()
                .atMost(SOON)
                .ignoreExceptions() // the views may not have the session yet
                .until(
                        () -> api.list(turns),
                        list -> list.size() == 1
                                && !list.getFirst().path("completedAt").isNull())
                .getFirst()
                .path("id")
                .asText();
        JsonNode turn = api.get("/v1/turns/" + id).json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        return turn;
    }

    /** The number of events of a session whose type starts with this name. */
    private static long events(KafkaClients clients, String session, String type) {
        return Records.all(clients, "turn-events").stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).startsWith(session + "#"))
                .filter(record -> record.headers().lastHeader(RecordSerde.TYPE) != null
                        && new String(
                                        record.headers()
                                                .lastHeader(RecordSerde.TYPE)
                                                .value(),
                                        StandardCharsets.UTF_8)
                                .startsWith(type))
                .count();
    }
}
