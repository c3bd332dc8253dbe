package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guardrails from the API to what a person sees, what the double of a provider hears and what is kept. */
class GuardrailsIT {
    private static final ObjectMapper JSON = new ObjectMapper();

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
                tools: { allowedHosts: ["127.0.0.1"] }
                agents:
                  - name: gpt
                    model: openai/gpt-5
                    guardrails:
                      - { name: cards, on: output, pattern: '\\d{4}(-\\d{4}){3}', action: block, message: No cards. }
                """.formatted(openai.url(), folder.resolve("key")));
        instance = Instance.start(ConfigReader.read(Map.of(
                "PARLEY_DATA", folder.resolve("data").toString(),
                "PARLEY_CONFIG", folder.resolve("parley.yml").toString(),
                "PARLEY_PORT", "0")));
        api = new Api(instance.url(), instance.adminKey());
    }

    @AfterAll
    static void stop() {
        instance.close();
        openai.close();
        judge.close();
    }

    /** A model that thinks and says this, token by token. */
    private static HttpDouble.Reply says(String thought, String... tokens) {
        var events = new ArrayList<String>();
        events.add("{\"type\":\"response.reasoning_summary_text.delta\",\"output_index\":0,\"delta\":\"" + thought
                + "\"}");
        Stream.of(tokens)
                .map(token ->
                        "{\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"" + token + "\"}")
                .forEach(events::add);
        String thinking = "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":\"summary_text\",\"text\":\""
                + thought + "\"}]}";
        String message =
                "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"output_text\",\"text\":\"" + String.join("", tokens)
                        + "\",\"annotations\":[]}]}";
        events.add("{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":" + thinking + "}");
        events.add("{\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":" + message + "}");
        events.add("{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\","
                + "\"model\":\"gpt-5\",\"output\":[" + thinking + "," + message
                + "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
        return HttpDouble.events(events);
    }

    private static List<String> streamed(String session, String agent, String text) {
        try (Stream<String> lines = api.stream("/v1/chat", Map.of("session", session, "agent", agent, "text", text))) {
            return lines.toList();
        }
    }

    private static String project() {
        Answer made = api.post("/v1/projects", Map.of("name", "P"));
        assertEquals(201, made.status(), made.text());
        return "/v1/projects/" + made.json().path("key").asText();
    }

    private static Answer set(String project, Object settings) {
        return api.send("PUT", project + "/settings", settings, Map.of("If-Match", "*"));
    }

    private static JsonNode seen(HttpDouble who, int fromLast) throws IOException {
        var seen = who.seen();
        return JSON.readTree(seen.get(seen.size() - 1 - fromLast).body());
    }

    @Test
    @Tag("G4")
    @Tag("G6")
    @Tag("G10")
    void noTokenOfABlockedAnswerIsStreamedOrKept() {
        // Given
        openai.answers(says("They want 4111-", "Your card is ", "4111-1111-", "1111-1111", "."));

        // When
        List<String> lines = streamed("web:blocked", "gpt", "which card?");

        // Then
        String all = String.join("\n", lines);
        assertTrue(all.contains("No cards."), all);
        Stream.of("4111", "1111", "Your card", "They want").forEach(word -> assertFalse(all.contains(word), all));
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

        // When: the same agent says something else
        openai.answers(says("Easy.", "All ", "is ", "well."));
        String clean = String.join("\n", streamed("web:blocked", "gpt", "and else?"));

        // Then: it comes in one piece
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
    void aToolOfTheProjectDecidesForAllItsAgents() throws IOException {
        // Given
        String project = project();
        var tool = new HashMap<String, Object>(Map.of(
                "name", "judge",
                "description", "Decides what may be said",
                "type", "rest",
                "effect", "idempotent",
                "timeout", "10s",
                "implementation", Map.of("url", judge.url() + "/decide", "method", "POST")));
        tool.put(
                "parameters",
                Stream.of("stage", "agent", "text")
                        .map(name -> Map.of("name", name, "type", "string", "required", true))
                        .toList());
        assertEquals(201, api.post(project + "/tools", tool).status());
        Answer settled = set(
                project,
                Map.of("guardrails", List.of(Map.of("name", "judge", "tool", "judge", "message", "Not this."))));
        assertEquals(200, settled.status(), settled.text());
        judge.answers(
                HttpDouble.json(200, "{\"action\":\"rewrite\",\"text\":\"tell me of flowers\",\"reason\":\"theme\"}"),
                HttpDouble.json(200, "{\"action\":\"allow\"}"));

        // When: nobody allowed the tool, and nobody is asked
        Answer said = api.post(
                project + "/sessions/web:1/turns?wait=60s", Map.of("text", "tell me of weapons", "agent", "default"));

        // Then
        assertEquals("COMPLETED", said.json().path("state").asText(), said.text());
        assertEquals("tell me of flowers", said.json().path("text").asText());
        assertFalse(said.json().path("reply").asText().contains("weapons"), said.text());
        assertEquals("input", seen(judge, 1).path("stage").asText());
        assertEquals("tell me of weapons", seen(judge, 1).path("text").asText());
        assertEquals("output", seen(judge, 0).path("stage").asText());
        assertEquals("default", seen(judge, 0).path("agent").asText());
        String messages = project + "/sessions/web:1/messages";
        Awaitility.await().until(() -> api.list(messages).size() >= 2);
        assertFalse(
                api.get(messages).text().contains("weapons"), api.get(messages).text());
        assertFalse(api.get(project + "/search?q=weapons").text().contains("tell me"));

        // When: the tool does not answer as it should
        judge.answers(HttpDouble.body(500, "text/plain", "out of order"));
        Answer blocked =
                api.post(project + "/sessions/web:1/turns?wait=60s", Map.of("text", "and weapons?", "agent", "plan"));

        // Then
        assertEquals("Not this.", blocked.json().path("reply").asText(), blocked.text());
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
    void whatCannotBeUsedIsRefusedByItsField(String guardrail, String field) throws IOException {
        JsonNode one = JSON.readTree(guardrail);
        Answer agent = api.post(
                "/v1/agents?dryRun=true", Map.of("name", "x", "model", "scripted/small", "guardrails", List.of(one)));
        assertEquals(400, agent.status(), agent.text());
        assertTrue(agent.text().contains("'" + field + "'"), agent.text());
        Answer project = set("/v1/projects/default", Map.of("guardrails", List.of(one)));
        assertEquals(400, project.status(), project.text());
        assertTrue(project.text().contains("'" + field + "'"), project.text());
    }

    @Test
    @Tag("G11")
    void whatIsDefinedIsShownAndChanged() {
        // Given
        String project = project();
        var rails = List.of(
                Map.of("name", "cards", "pattern", "[0-9]{16}", "action", "rewrite", "on", "output"),
                Map.of("name", "judge", "tool", "judge", "onError", "allow"));
        var agent =
                new HashMap<String, Object>(Map.of("name", "guarded", "model", "scripted/small", "guardrails", rails));

        // When
        Answer made = api.post(project + "/agents", agent);

        // Then
        assertEquals(201, made.status(), made.text());
        JsonNode shown = api.get(project + "/agents/guarded").json().path("guardrails");
        assertEquals("[removed]", shown.path(0).path("replacement").asText());
        assertEquals("output", shown.path(0).path("on").asText());
        assertEquals("both", shown.path(1).path("on").asText());
        assertEquals("allow", shown.path(1).path("onError").asText());

        // When
        agent.put("guardrails", List.of());
        Answer changed = api.send("PUT", project + "/agents/guarded", agent, Map.of("If-Match", made.etag()));

        // Then
        assertEquals(200, changed.status(), changed.text());
        assertEquals(0, changed.json().path("guardrails").size());
        Answer many = set(project, Map.of("guardrails", Collections.nCopies(21, rails.getFirst())));
        assertEquals(400, many.status());
        assertTrue(many.text().contains("at most 20"), many.text());
        assertEquals(
                400,
                set(project, Map.of("guardrails", List.of(Map.of("name", "a", "colour", "red"))))
                        .status());
    }

    @Test
    @Tag("G11")
    void filesHaveThemToo() throws IOException {
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
        String first = applied(key);
        String again = applied(key);

        // Then
        assertEquals("+ clerk\nDone.\n", first);
        assertEquals("= clerk\nNothing to do.\n", again);
        JsonNode rail = api.get("/v1/projects/" + key + "/agents/clerk")
                .json()
                .path("guardrails")
                .path(0);
        assertEquals("rewrite", rail.path("action").asText());

        // When
        Files.writeString(file, Files.readString(file).replace("rewrite", "shred"));

        // Then
        String wrong = applied(key);
        assertTrue(wrong.contains("clerk.yaml:5: The field 'guardrails[0].action'"), wrong);
    }

    private static String applied(String project) {
        var said = new StringWriter();
        var to = new PrintWriter(said);
        Parley.commandLine(Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()))
                .setOut(to)
                .setErr(to)
                .execute(
                        "apply",
                        folder.resolve("team").toString(),
                        "--url",
                        api.url(),
                        "--key",
                        api.key(),
                        "--project",
                        project,
                        "--yes");
        return said.toString();
    }
}
