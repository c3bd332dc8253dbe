package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guardrails from the API to the replies, the requests of a fake provider and the stored messages. */
class GuardrailsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CARD = "\\d{4}(-\\d{4}){3}";

    @TempDir
    static Path folder;

    private static HttpDouble openai;
    private static HttpDouble judge;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        openai = new HttpDouble();
        judge = new HttpDouble();
        Files.writeString(folder.resolve("key"), "sk-sentinel-operator-0001\n");
        Files.writeString(folder.resolve("parley.yml"), """
                providers:
                  openai: { baseUrl: "%s", apiKey: "file:%s" }
                tools: { allowedHosts: [{ host: 127.0.0.1, hosts: [default], projects: ["*"] }] }
                agents:
                  - name: gpt
                    model: openai/gpt-5
                    guardrails:
                      - { name: cards, on: output, pattern: '\\d{4}(-\\d{4}){3}', action: block, message: No cards. }
                """.formatted(openai.url(), folder.resolve("key")));
        instance = Instances.start(folder.resolve("data"));
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        instance.close();
        openai.close();
        judge.close();
    }

    /** A streamed model response with this reasoning and these tokens. */
    private static HttpDouble.Reply says(String reasoning, String... tokens) {
        var events = new ArrayList<String>();
        events.add("{\"type\":\"response.reasoning_summary_text.delta\",\"output_index\":0,\"delta\":\"" + reasoning
                + "\"}");
        Stream.of(tokens)
                .map(token ->
                        "{\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"" + token + "\"}")
                .forEach(events::add);
        String thinking = "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":\"summary_text\",\"text\":\""
                + reasoning + "\"}]}";
        events.addAll(Responses.events(thinking, Responses.message(String.join("", tokens))));
        return HttpDouble.events(events);
    }

    private static List<String> streamed(String session, String agent, String text) {
        try (Stream<String> lines = api.stream("/v1/chat", Map.of("session", session, "agent", agent, "text", text))) {
            return lines.toList();
        }
    }

    private static String project() {
        return "/v1/projects/" + api.project("P");
    }

    private static Answer updateSettings(String project, Object settings) {
        return api.send("PUT", project + "/settings", settings, Map.of("If-Match", "*"));
    }

    private static JsonNode request(HttpDouble server, int fromLast) throws IOException {
        var requests = server.seen();
        return JSON.readTree(requests.get(requests.size() - 1 - fromLast).body());
    }

    @Test
    @Tag("G4")
    @Tag("G6")
    @Tag("G10")
    void blockedReplyIsNeitherStreamedNorStored() {
        // Given
        openai.answers(says("They want 4111-", "Your card is ", "4111-1111-", "1111-1111", "."));

        // When
        List<String> lines = streamed("web:blocked", "gpt", "which card?");

        // Then
        String streamed = String.join("\n", lines);
        assertTrue(streamed.contains("No cards."), streamed);
        Stream.of("4111", "1111", "Your card", "They want")
                .forEach(word -> assertFalse(streamed.contains(word), streamed));
        JsonNode turn = turns("web:blocked").getFirst();
        assertEquals("COMPLETED", turn.path("state").asText());
        assertEquals("No cards.", turn.path("reply").asText());
        JsonNode applied = turn.path("guardrails").path(0);
        assertEquals("cards", applied.path("guardrail").asText());
        assertEquals("output", applied.path("stage").asText());
        assertEquals("block", applied.path("action").asText());
        assertFalse(api.get("/v1/sessions/web:blocked/messages").text().contains("1111"));
        assertTrue(api.get("/prometheus")
                .text()
                .contains("parley_guardrails_applied_total{action=\"block\",stage=\"output\"} 1.0"));

        // When the same agent sends another reply
        openai.answers(says("Easy.", "All ", "is ", "well."));
        String clean = String.join("\n", streamed("web:blocked", "gpt", "and else?"));

        // Then it is streamed in one piece
        assertTrue(clean.contains("All is well."), clean);
        assertFalse(clean.contains("\"All \""), clean);
        assertTrue(openai.lastBody().contains("No cards."), openai.lastBody());
        assertFalse(openai.lastBody().contains("1111"), openai.lastBody());
    }

    private static List<JsonNode> turns(String session) {
        Awaitility.await()
                .until(() -> api.list("/v1/sessions/" + session + "/turns").stream()
                        .anyMatch(turn -> !turn.path("completedAt").isNull()));
        return api.list("/v1/sessions/" + session + "/turns");
    }

    @Test
    @Tag("G7")
    @Tag("G12")
    void projectGuardrailToolAppliesToAllAgents() throws IOException {
        // Given
        String project = project();
        assertEquals(201, api.post(project + "/tools", judge()).status());
        Answer updated = updateSettings(
                project,
                Map.of("guardrails", List.of(Map.of("name", "judge", "tool", "judge", "message", "Not this."))));
        assertEquals(200, updated.status(), updated.text());
        judge.answers(
                HttpDouble.json(200, "{\"action\":\"rewrite\",\"text\":\"tell me of flowers\",\"reason\":\"theme\"}"),
                HttpDouble.json(200, "{\"action\":\"allow\"}"));

        // When the tool has no permission rule, and no approval is requested
        Answer response =
                api.turn(project + "/sessions/web:1", Map.of("text", "tell me of weapons", "agent", "default"));

        // Then
        assertEquals("COMPLETED", response.json().path("state").asText(), response.text());
        assertEquals("tell me of flowers", response.json().path("text").asText());
        assertFalse(response.json().path("reply").asText().contains("weapons"), response.text());
        assertEquals("input", request(judge, 1).path("stage").asText());
        assertEquals("tell me of weapons", request(judge, 1).path("text").asText());
        assertEquals("output", request(judge, 0).path("stage").asText());
        assertEquals("default", request(judge, 0).path("agent").asText());
        String messages = project + "/sessions/web:1/messages";
        Awaitility.await().until(() -> api.list(messages).size() >= 2);
        assertFalse(
                api.get(messages).text().contains("weapons"), api.get(messages).text());
        assertFalse(api.get(project + "/search?q=weapons").text().contains("tell me"));

        // When the tool fails
        judge.answers(HttpDouble.body(500, "text/plain", "out of order"));
        Answer blocked = api.turn(project + "/sessions/web:1", Map.of("text", "and weapons?", "agent", "plan"));

        // Then
        assertEquals("Not this.", blocked.json().path("reply").asText(), blocked.text());
    }

    @Test
    @Tag("G3")
    void checksMessagesThatJoinATurnBeforeTheNextModelCall() throws IOException {
        // Given
        String project = project();
        var rewrites =
                Map.of("name", "cards", "on", "input", "pattern", CARD, "action", "rewrite", "replacement", "[card]");
        var blocks =
                Map.of("name", "arms", "on", "input", "pattern", "weapons", "action", "block", "message", "Not this.");
        var agent = Map.of("name", "guarded", "model", "openai/gpt-5", "guardrails", List.of(rewrites, blocks));
        assertEquals(201, api.post(project + "/agents", agent).status());
        int before = openai.seen().size();
        openai.answers(callsEchoOnce(() -> joinTurn(project, "pay with 4111-1111-1111-1111")), says("Easy.", "Paid."));

        // When
        JsonNode turn = turn(project, "guarded", "find it");

        // Then
        assertEquals("Paid.", turn.path("reply").asText(), turn.toString());
        assertTrue(openai.lastBody().contains("pay with [card]"), openai.lastBody());
        assertFalse(openai.lastBody().contains("4111"), openai.lastBody());
        String messages = project + "/sessions/web:1/messages";
        Awaitility.await().until(() -> api.get(messages).text().contains("pay with [card]"));
        assertFalse(api.get(messages).text().contains("4111"));

        // When
        openai.answers(callsEchoOnce(() -> joinTurn(project, "and tell me of weapons")));
        JsonNode blocked = turn(project, "guarded", "find more");

        // Then
        assertEquals("Not this.", blocked.path("reply").asText(), blocked.toString());
        assertEquals(before + 3, openai.seen().size(), "no model was asked any more");
        String turnPath =
                project + "/sessions/web:1/turns/" + blocked.path("id").asText();
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        "arms",
                        api.get(turnPath).json().at("/guardrails/0/guardrail").asText()));
    }

    @Test
    @Tag("G3")
    void withholdsAMessageThatWasUncheckedWhenItsTurnEnded() throws IOException, InterruptedException {
        // Given a tool as a guardrail, which allows the message if the tool fails
        String project = project();
        assertEquals(201, api.post(project + "/tools", judge()).status());
        var judged = Map.of("name", "judge", "on", "input", "tool", "judge", "onError", "allow");
        var agent = Map.of("name", "judged", "model", "openai/gpt-5", "guardrails", List.of(judged));
        assertEquals(201, api.post(project + "/agents", agent).status());
        var speaking = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        int before = judge.seen().size();
        judge.answers(HttpDouble.json(200, "{\"action\":\"allow\"}"), HttpDouble.json(200, "{\"action\":\"allow\"}"));
        openai.answers(
                HttpDouble.stream(stream -> {
                    stream.event("{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Once\"}");
                    speaking.countDown();
                    stream.untilClosed(closed);
                }),
                says("Easy.", "Yes."));
        String turns = project + "/sessions/web:1/turns";
        String id = api.post(turns, Map.of("text", "tell me", "agent", "judged"))
                .json()
                .path("id")
                .asText();
        assertTrue(speaking.await(60, TimeUnit.SECONDS));

        // When a message joins the turn, which is cancelled before the message is checked
        joinTurn(project, "of my secret plan");
        assertEquals(202, api.post(turns + "/" + id + "/cancel", Map.of()).status());
        assertTrue(closed.await(60, TimeUnit.SECONDS));
        JsonNode next = turn(project, "judged", "and now?");

        // Then
        assertEquals("Yes.", next.path("reply").asText(), next.toString());
        assertEquals(
                List.of("tell me", "and now?"),
                judge.seen().stream()
                        .skip(before)
                        .map(request -> text(request.body()))
                        .toList());
        assertTrue(openai.lastBody().contains("(a guardrail withheld this message)"), openai.lastBody());
        assertFalse(openai.lastBody().contains("secret plan"), openai.lastBody());
        Awaitility.await().untilAsserted(() -> {
            String messages = api.get(project + "/sessions/web:1/messages").text();
            assertTrue(messages.contains("(a guardrail withheld this message)"), messages);
            assertFalse(messages.contains("secret plan"), messages);
            JsonNode applied = api.get(turns + "/" + id).json().at("/guardrails/0");
            assertEquals(
                    "block not_asked",
                    applied.path("action").asText() + " "
                            + applied.path("reason").asText());
        });
    }

    private static String text(String body) {
        return Api.json(body).path("text").asText();
    }

    private static JsonNode turn(String project, String agent, String text) {
        Answer response = api.turn(project + "/sessions/web:1", Map.of("text", text, "agent", agent));
        assertEquals(200, response.status(), response.text());
        return response.json();
    }

    /** Submits a message that joins the running turn. */
    private static void joinTurn(String project, String text) {
        Answer response = api.post(project + "/sessions/web:1/turns", Map.of("text", text, "mode", "steer"));
        assertEquals(202, response.status(), response.text());
    }

    /** A model response that calls a tool, after an action during the model call. */
    private static HttpDouble.Reply callsEchoOnce(Runnable meanwhile) {
        String call = "{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"call_1\",\"name\":\"echo\","
                + "\"arguments\":\"{\\\"text\\\": \\\"hi\\\"}\",\"status\":\"completed\"}";
        return HttpDouble.stream(stream -> {
            meanwhile.run();
            stream.event("{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\","
                    + "\"model\":\"gpt-5\",\"output\":[" + call
                    + "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
        });
    }

    private static Map<String, Object> judge() {
        var tool = new HashMap<String, Object>(Map.of(
                "name", "judge",
                "description", "Decides what may be said",
                "type", "rest",
                "effect", "idempotent",
                "timeout", "60s",
                "implementation", Map.of("url", judge.url() + "/decide", "method", "POST")));
        tool.put(
                "parameters",
                Stream.of("stage", "agent", "text")
                        .map(name -> Map.of("name", name, "type", "string", "required", true))
                        .toList());
        return tool;
    }

    @ParameterizedTest
    @Tag("G11")
    @CsvSource(delimiter = '|', textBlock = """
            {"name": "a", "pattern": "(", "action": "block"}            | guardrails[0].pattern
            {"name": "a", "pattern": "x*", "action": "block"}           | guardrails[0].pattern
            {"name": "a", "pattern": "x"}                               | guardrails[0].action
            {"name": "a"}                                               | guardrails[0].pattern
            {"name": "a", "tool": "load_skill"}                         | guardrails[0].tool
            {"name": "a", "tool": "judge", "onError": "shrug"}          | guardrails[0].onError
            {"name": "a b", "tool": "judge"}                            | guardrails[0].name
            {"name": "a", "tool": "judge", "on": "never"}               | guardrails[0].on
            """)
    void rejectsAnInvalidGuardrailAndNamesTheField(String guardrail, String field) throws IOException {
        JsonNode definition = JSON.readTree(guardrail);
        Answer agent = api.post(
                "/v1/agents?dryRun=true",
                Map.of("name", "x", "model", "scripted/small", "guardrails", List.of(definition)));
        assertEquals(400, agent.status(), agent.text());
        assertTrue(agent.text().contains("'" + field + "'"), agent.text());
        Answer project = updateSettings("/v1/projects/default", Map.of("guardrails", List.of(definition)));
        assertEquals(400, project.status(), project.text());
        assertTrue(project.text().contains("'" + field + "'"), project.text());
    }

    @Test
    @Tag("G11")
    void showsAndChangesTheGuardrailsOfAnAgent() {
        // Given
        String project = project();
        var rails = List.of(
                Map.of("name", "cards", "pattern", "[0-9]{16}", "action", "rewrite", "on", "output"),
                Map.of("name", "judge", "tool", "judge", "onError", "allow"));
        var agent =
                new HashMap<String, Object>(Map.of("name", "guarded", "model", "scripted/small", "guardrails", rails));

        // When
        Answer created = api.post(project + "/agents", agent);

        // Then
        assertEquals(201, created.status(), created.text());
        JsonNode guardrails = api.get(project + "/agents/guarded").json().path("guardrails");
        assertEquals("[removed]", guardrails.path(0).path("replacement").asText());
        assertEquals("output", guardrails.path(0).path("on").asText());
        assertEquals("both", guardrails.path(1).path("on").asText());
        assertEquals("allow", guardrails.path(1).path("onError").asText());

        // When
        agent.put("guardrails", List.of());
        Answer changed = api.send("PUT", project + "/agents/guarded", agent, Map.of("If-Match", created.etag()));

        // Then
        assertEquals(200, changed.status(), changed.text());
        assertEquals(0, changed.json().path("guardrails").size());
        Answer tooMany = updateSettings(project, Map.of("guardrails", Collections.nCopies(21, rails.getFirst())));
        assertEquals(400, tooMany.status());
        assertTrue(tooMany.text().contains("at most 20"), tooMany.text());
        assertEquals(
                400,
                updateSettings(project, Map.of("guardrails", List.of(Map.of("name", "a", "colour", "red"))))
                        .status());
    }

    @Test
    @Tag("G11")
    void applyReadsGuardrailsFromAgentFiles() throws IOException {
        // Given
        String key = project().substring("/v1/projects/".length());
        Path file = Files.createDirectories(folder.resolve("team/agents")).resolve("clerk.yaml");
        Files.writeString(file, """
                model: scripted/small
                guardrails:
                  - name: cards
                    pattern: '\\d{4}([ -]?\\d{4}){3}'
                    action: rewrite
                """);

        // When
        String first = apply(key);
        String second = apply(key);

        // Then
        assertEquals("+ clerk\nDone.\n", first);
        assertEquals("= clerk\nNothing to do.\n", second);
        JsonNode rail = api.get("/v1/projects/" + key + "/agents/clerk")
                .json()
                .path("guardrails")
                .path(0);
        assertEquals("rewrite", rail.path("action").asText());

        // When
        Files.writeString(file, Files.readString(file).replace("rewrite", "shred"));

        // Then
        String wrong = apply(key);
        assertTrue(wrong.contains("clerk.yaml:5: The field 'guardrails[0].action'"), wrong);
    }

    private static String apply(String project) {
        return CommandRun.of(
                        Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()),
                        "apply",
                        folder.resolve("team").toString(),
                        "--url",
                        api.url(),
                        "--key",
                        api.key(),
                        "--project",
                        project,
                        "--yes")
                .output();
    }
}
