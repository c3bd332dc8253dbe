package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.config.ConfigReader;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AG-UI against a whole process. */
class AgentProtocolsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RUNS = "/v1/agui/default";

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
                agents:
                  - { name: default, description: Answers }
                  - { name: helper, mode: subagent }
                permissions:
                  - { tool: echo, action: ask }
                """);
        servers = new Servers(folder);
        restart();
    }

    private static void restart() {
        if (instance != null) {
            instance.close();
        }
        instance = Instance.start(ConfigReader.read(servers.environment("one", 2)));
        api = new Api(instance.url(), Servers.KEY);
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    private static Stream<JsonNode> events(Stream<String> lines) {
        return lines.filter(line -> line.startsWith("data: ")).map(line -> {
            try {
                return JSON.readTree(line.substring("data: ".length()));
            } catch (IOException e) {
                throw new AssertionError(line, e);
            }
        });
    }

    private static List<JsonNode> turns(String session) {
        return api.list("/v1/sessions/" + session + "/turns");
    }

    // ---- AG-UI

    private static Map<String, Object> input(String thread, String run, List<?> messages) {
        return Map.of("threadId", thread, "runId", run, "messages", messages);
    }

    private static Map<String, Object> says(String id, String text) {
        return Map.of("id", id, "role", "user", "content", text);
    }

    private static List<JsonNode> run(Map<String, Object> input) {
        return events(api.stream(RUNS, input)).toList();
    }

    private static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.path("type").asText()).toList();
    }

    /** What a client makes of it: the conversation that it sends with its next run. */
    private static List<Object> transcript(List<?> before, List<JsonNode> events) {
        var all = new ArrayList<Object>(before);
        Map<String, StringBuilder> texts = new LinkedHashMap<>();
        for (JsonNode event : events) {
            switch (event.path("type").asText()) {
                case "TEXT_MESSAGE_CONTENT" ->
                    texts.computeIfAbsent(event.get("messageId").asText(), _ -> new StringBuilder())
                            .append(event.get("delta").asText());
                case "TOOL_CALL_START" ->
                    all.add(Map.of(
                            "id",
                            event.get("parentMessageId").asText(),
                            "role",
                            "assistant",
                            "toolCalls",
                            List.of(Map.of(
                                    "id",
                                    event.get("toolCallId").asText(),
                                    "type",
                                    "function",
                                    "function",
                                    Map.of("name", event.get("toolCallName").asText(), "arguments", "{}")))));
                default -> {}
            }
        }
        texts.forEach((id, text) -> all.add(Map.of("id", id, "role", "assistant", "content", text.toString())));
        return all;
    }

    private static String said(List<JsonNode> events) {
        var text = new StringBuilder();
        events.forEach(event -> text.append(
                event.path("type").asText().equals("TEXT_MESSAGE_CONTENT")
                        ? event.get("delta").asText()
                        : ""));
        return text.toString();
    }

    @Test
    @Tag("D20")
    @Tag("D21")
    void aRunIsStreamed() {
        // When
        List<JsonNode> events =
                run(input("agui:tools", "r-1", List.of(says("u1", "!say one\n!call time {}\n!then\n!say two three"))));

        // Then
        List<String> types = types(events).stream().distinct().toList();
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS",
                        "TOOL_CALL_END",
                        "TOOL_CALL_RESULT",
                        "RUN_FINISHED"),
                types);
        assertEquals("agui:tools", events.getFirst().get("threadId").asText());
        assertEquals("r-1", events.getLast().get("runId").asText());
        assertEquals("onetwo three", said(events));
        assertTrue(events.getLast().at("/usage/0/totalTokens").asInt() > 0);
        assertTrue(events.stream().noneMatch(event -> event.toString().contains("null")));
    }

    @Test
    @Tag("D23")
    void aConversationIsSentAgainAndSaidOnce() {
        // Given
        List<Object> first = List.of(
                Map.of("id", "a0", "role", "assistant", "content", "Your town is Oslo, I heard."),
                says("u1", "my name is Ann"));

        // When
        List<JsonNode> once = run(input("agui:twice", "r-1", first));
        List<JsonNode> again = run(input("agui:twice", "r-1", first));
        List<Object> next = transcript(first, once);
        next.add(says("u2", "what is my name?"));
        List<JsonNode> second = run(input("agui:twice", "r-2", next));
        List<JsonNode> rerun = run(input("agui:twice", "r-3", transcript(next, second)));

        // Then
        assertEquals(said(once), said(again));
        assertEquals("Your name is Ann.", said(second));
        assertEquals(
                List.of("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"),
                types(rerun),
                "nothing is left to be said");
        Awaitility.await().until(() -> turns("agui:twice").size() == 2);
        String messages = api.get("/v1/sessions/agui:twice/messages").text();
        assertEquals(1, messages.split("my name is Ann", -1).length - 1, messages);
    }

    @Test
    @Tag("D24")
    void aRunIsResumedAfterARestart() {
        // Given
        List<Object> asked = List.of(says("u1", "!call echo {\"text\":\"hi\"}\n!then\n!say done"));
        List<JsonNode> first = run(input("agui:asks", "r-1", asked));
        JsonNode interrupt = first.getLast().at("/outcome/interrupts/0");
        List<Object> known = transcript(asked, first);

        // When
        restart();
        var answer = Map.of(
                "interruptId", interrupt.get("id").asText(), "status", "resolved", "payload", Map.of("approved", true));
        Map<String, Object> resume =
                Map.of("threadId", "agui:asks", "runId", "r-2", "messages", known, "resume", List.of(answer));
        List<JsonNode> second = run(resume);
        List<JsonNode> again = run(resume);

        // Then
        assertEquals("interrupt", first.getLast().at("/outcome/type").asText());
        assertEquals("tool_call", interrupt.get("reason").asText());
        assertTrue(types(first).contains("TOOL_CALL_END"));
        assertEquals(
                interrupt.get("toolCallId").asText(),
                second.stream()
                        .filter(event -> event.path("type").asText().equals("TOOL_CALL_RESULT"))
                        .findFirst()
                        .orElseThrow()
                        .get("toolCallId")
                        .asText());
        assertEquals("done", said(second));
        assertEquals("success", second.getLast().at("/outcome/type").asText());
        assertEquals("success", again.getLast().at("/outcome/type").asText());
        assertEquals(1, turns("agui:asks").size());
    }

    @Test
    @Tag("D25")
    void aRunThatIsLeftGoesOnAndWhatGoesWrongIsSaid() {
        // Given
        var stranger = new Api(instance.url(), "sk-sentinel-wrong");
        var hello = input("agui:wrong", "r-1", List.of(says("u1", "!fail invalid_request")));

        // When
        try (Stream<String> left =
                api.stream(RUNS, input("agui:left", "r-1", List.of(says("u1", "!stream 20 words over 1s"))))) {
            assertEquals(
                    "RUN_STARTED",
                    events(left).findFirst().orElseThrow().get("type").asText());
        }
        List<JsonNode> failed = run(hello);

        // Then
        assertEquals("RUN_ERROR", failed.getLast().get("type").asText());
        assertEquals("invalid_request", failed.getLast().get("code").asText());
        Answer unknown = stranger.post(RUNS, hello);
        assertEquals(401, unknown.status());
        assertEquals("unknown_agent", api.post("/v1/agui/helper", hello).code());
        Answer nothing = api.post(RUNS, input("agui:wrong", "r-2", List.of()));
        assertEquals(400, nothing.status());
        assertEquals("nothing_said", nothing.code());
        assertEquals(
                "missing_required_parameter",
                api.post(RUNS, Map.of("threadId", "x", "messages", List.of())).code());
        JsonNode turn = Awaitility.await()
                .until(
                        () -> turns("agui:left"),
                        all -> all.size() == 1
                                && all.getFirst().path("state").asText().equals("COMPLETED"))
                .getFirst();
        assertEquals(20, turn.get("reply").asText().split(" ").length);
    }
}
