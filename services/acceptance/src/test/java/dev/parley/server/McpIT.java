package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.server.Api.Answer;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official MCP client against a server process, and HTTP for the version without {@code initialize}. */
class McpIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<ProgressNotification> PROGRESS = new CopyOnWriteArrayList<>();

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;
    private static McpSyncClient client;
    /** The client whose key may answer approvals and tasks. */
    private static McpSyncClient person;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
                permissions:
                  - { tool: echo, action: ask }
                """);
        servers = new Servers(folder);
        instance = servers.start("one");
        api = Api.of(instance);
        client = client(Servers.KEY);
        person = client(key("person", "session.read", "session.send", "workflow.read", "workflow.run", "mcp.answer"));
    }

    private static String key(String name, String... permissions) {
        return api.post("/v1/api-keys", Map.of("name", name, "permissions", List.of(permissions)))
                .json()
                .path("apiKey")
                .asText();
    }

    /** A client that validates tool results against their schemas. */
    private static McpSyncClient client(String key) {
        var transport = HttpClientStreamableHttpTransport.builder(instance.url())
                .endpoint("/mcp")
                .addHttpRequestCustomizer(
                        (request, method, uri, body, context) -> request.header("Authorization", "Bearer " + key))
                .build();
        return McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(90))
                .enableCallToolSchemaCaching(true)
                .progressConsumer(PROGRESS::add)
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        person.close();
        instance.close();
        servers.close();
    }

    private static CallToolResult call(String tool, Map<String, Object> arguments) {
        return call(client, tool, arguments);
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    /** The structured result of a tool. */
    private static JsonNode data(String tool, Map<String, Object> arguments) {
        return data(client, tool, arguments);
    }

    private static JsonNode data(McpSyncClient client, String tool, Map<String, Object> arguments) {
        CallToolResult result = call(client, tool, arguments);
        assertNotEquals(true, result.isError(), text(result));
        JsonNode data = JSON.valueToTree(result.structuredContent());
        assertEquals(data, Api.json(text(result)), "the text says the same");
        return data;
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    /** The error text of a failed tool. */
    private static String failure(CallToolResult result) {
        assertEquals(true, result.isError(), text(result));
        assertNull(result.structuredContent());
        return text(result);
    }

    private static String string(JsonNode json, String field) {
        return json.path(field).asText();
    }

    @Test
    @Tag("B170")
    void toolsAreDescribedInPlainSentences() {
        List<String> faults = client.listTools().tools().stream()
                .flatMap(tool ->
                        ToolTexts.faults(tool.name(), tool.description(), JSON.valueToTree(tool.inputSchema()))
                                .stream())
                .toList();
        assertEquals(List.of(), faults);
    }

    @Test
    @Tag("Q1")
    void toolsAndResourcesAreListed() {
        assertEquals("2025-11-25", client.initialize().protocolVersion());
        List<String> tools = client.listTools().tools().stream().map(Tool::name).toList();
        assertTrue(tools.containsAll(List.of("ask_agent", "recall", "start_workflow")), tools.toString());
        List<String> templates = client.listResourceTemplates().resourceTemplates().stream()
                .map(ResourceTemplate::uriTemplate)
                .toList();
        assertTrue(templates.contains("parley://projects/{project}/sessions/{session}/messages"), templates.toString());
        List<JsonNode> agents = rows(data("list_agents", Map.of()));
        assertTrue(agents.stream().anyMatch(agent -> string(agent, "name").equals("default")), agents.toString());
    }

    private static List<JsonNode> rows(JsonNode page) {
        return page.path("data").valueStream().toList();
    }

    @Test
    @Tag("Q2")
    void asksAnAgentInASessionThatCanBeReadAndSearched() {
        // When
        JsonNode first = data("ask_agent", Map.of("text", "my name is Zebedee", "idempotency_key", "once"));
        JsonNode repeated = data("ask_agent", Map.of("text", "my name is Zebedee", "idempotency_key", "once"));
        String session = string(first, "session");
        JsonNode second = data("ask_agent", Map.of("text", "what is my name?", "session", session));

        // Then
        assertTrue(first.path("done").asBoolean());
        assertEquals(string(first, "turn"), string(repeated, "turn"), "asked twice with one key it is one turn");
        assertEquals("Your name is Zebedee.", string(second, "reply"));
        assertEquals("default", string(second, "project"));
        assertEquals(
                "COMPLETED",
                string(data("get_turn", Map.of("session", session, "turn", string(first, "turn"))), "state"));
        Awaitility.await()
                .until(() ->
                        rows(data("read_session", Map.of("session", session))).size() == 4);
        Awaitility.await()
                .until(() -> !rows(data("search_sessions", Map.of("query", "zebedee")))
                        .isEmpty());
        assertTrue(rows(data("list_sessions", Map.of("limit", 200))).stream()
                .anyMatch(row -> string(row, "key").equals(session)));

        Resource messages = client.listResources().resources().stream()
                .filter(resource ->
                        resource.uri().contains("/messages") && resource.name().endsWith(session))
                .findFirst()
                .orElseThrow();
        assertTrue(read(messages.uri()).contains("Zebedee"), messages.uri());
        assertTrue(read("parley://projects/default/agents/default").contains("\"default\""));
        var none = assertThrows(McpError.class, () -> read("parley://projects/default/sessions/none"));
        assertEquals(-32002, none.getJsonRpcError().code());
    }

    private static String read(String uri) {
        var contents =
                client.readResource(ReadResourceRequest.builder(uri).build()).contents();
        return ((TextResourceContents) contents.getFirst()).text();
    }

    @Test
    @Tag("Q3")
    void sendsIncreasingProgressNotifications() {
        // When
        CallToolResult result = client.callTool(CallToolRequest.builder("ask_agent")
                .arguments(Map.of("text", "!call time {}\n!then\n!stream 20 words over 2s"))
                .progressToken("q3")
                .build());

        // Then
        assertNotEquals(true, result.isError(), text(result));
        assertTrue(Api.json(text(result)).path("done").asBoolean(), text(result));
        List<ProgressNotification> notifications = PROGRESS.stream()
                .filter(notification -> notification.progressToken().equals("q3"))
                .toList();
        assertEquals("The agent is asked.", notifications.getFirst().message());
        assertTrue(
                notifications.stream()
                        .anyMatch(notification -> notification.message().equals("It uses the tool time.")),
                notifications.toString());
        for (int i = 1; i < notifications.size(); i++) {
            assertTrue(
                    notifications.get(i).progress() > notifications.get(i - 1).progress(), notifications.toString());
        }
    }

    @Test
    @Tag("Q4")
    void longTurnReturnsAHandleForGetTurn() {
        // When
        JsonNode open = data("ask_agent", Map.of("text", "!stream 20 words over 8s", "wait_seconds", 0));

        // Then
        assertFalse(open.path("done").asBoolean(), open.toString());
        assertTrue(string(open, "next").contains("get_turn"));
        Map<String, Object> turn = Map.of("session", string(open, "session"), "turn", string(open, "turn"));
        assertFalse(data("get_turn", turn).path("done").asBoolean());
        JsonNode completed = data("get_turn", with(turn, "wait_seconds", 60));
        assertEquals("COMPLETED", string(completed, "state"));
        assertFalse(string(completed, "reply").isEmpty());
    }

    private static Map<String, Object> with(Map<String, Object> map, String name, Object value) {
        var extended = new java.util.HashMap<>(map);
        extended.put(name, value);
        return extended;
    }

    @Test
    @Tag("Q4")
    void turnWaitingForApprovalReturnsAHandleWithTheApproval() {
        // When
        JsonNode waits = data("ask_agent", Map.of("text", "!call echo {\"text\":\"hi\"}\n!then\n!say all done"));

        // Then
        assertEquals("WAITING_APPROVAL", string(waits, "state"), waits.toString());
        JsonNode question = waits.path("waiting_for").get(0);
        assertEquals("echo", string(question, "tool"));
        assertTrue(string(question, "arguments").contains("hi"), question.toString());
        Map<String, Object> turn = Map.of("session", string(waits, "session"), "turn", string(waits, "turn"));

        Map<String, Object> answer =
                Map.of("session", string(waits, "session"), "approval", string(question, "approval"), "answer", "once");
        data(person, "answer_approval", answer);

        JsonNode completed = Awaitility.await()
                .until(
                        () -> data("get_turn", with(turn, "wait_seconds", 60)),
                        now -> !string(now, "state").equals("WAITING_APPROVAL"));
        assertEquals("all done", string(completed, "reply"), completed.toString());
        String refused = failure(call(person, "answer_approval", answer));
        assertTrue(refused.contains("unknown_approval"), refused);
    }

    @Test
    @Tag("Q11")
    void modelCannotApproveCallsOfItsOwnAgent() {
        try (McpSyncClient model = client(key("model", "session.read", "session.create", "session.send"))) {
            // Given
            JsonNode waits = data(model, "ask_agent", Map.of("text", "!call echo {\"text\":\"hi\"}\n!then\n!say done"));
            Map<String, Object> turn = Map.of("session", string(waits, "session"), "turn", string(waits, "turn"));
            Map<String, Object> answer = Map.of(
                    "session",
                    string(waits, "session"),
                    "approval",
                    string(waits.path("waiting_for").get(0), "approval"),
                    "answer",
                    "once");

            // When
            String refused = failure(call(model, "answer_approval", answer));
            String everything = failure(call("answer_approval", answer));

            // Then
            assertTrue(refused.contains("mcp.answer"), refused);
            assertEquals(refused, everything, "a key of everything, too");
            List<String> tools =
                    model.listTools().tools().stream().map(Tool::name).toList();
            assertFalse(tools.contains("answer_approval") || tools.contains("complete_task"), tools.toString());
            assertEquals("WAITING_APPROVAL", string(data(model, "get_turn", turn), "state"));
            data(person, "answer_approval", answer);
            JsonNode ended = data(model, "get_turn", with(turn, "wait_seconds", 60));
            assertEquals("done", string(ended, "reply"), ended.toString());
        }
    }

    @Test
    @Tag("Q10")
    void servesSkillsAsPromptsWithTheirNeededSkills() {
        // Given
        String elsewhere = api.project("Elsewhere");
        skill(
                "default",
                Map.of("name", "house-style", "description", "How we write", "text", "Write short sentences."));
        skill(
                "default",
                Map.of(
                        "name",
                        "release-notes",
                        "description",
                        "How to write release notes",
                        "text",
                        "One line for each change.",
                        "needs",
                        List.of(Map.of("skill", "house-style", "required", true))));
        for (int i = 0; i < 20; i++) {
            skill("default", Map.of("name", "more-" + i, "description", "one of many"));
        }
        skill("default", Map.of("name", "off", "description", "not in use", "enabled", false));

        // When
        List<Prompt> prompts = client.listPrompts().prompts();
        GetPromptResult prompt = client.getPrompt(GetPromptRequest.builder("release-notes")
                .arguments(Map.of("request", "for 0.2.0"))
                .build());

        // Then
        List<String> names = prompts.stream().map(Prompt::name).toList();
        assertEquals(22, names.size(), names.toString());
        assertFalse(names.contains("off"), names.toString());
        assertEquals("How to write release notes", prompt.description());
        assertEquals(
                "Write short sentences.\n\nOne line for each change.\n\nfor 0.2.0",
                ((TextContent) prompt.messages().getFirst().content()).text());
        String key = api.post("/v1/api-keys", Map.of("name", "elsewhere", "project", elsewhere))
                .json()
                .path("apiKey")
                .asText();
        try (McpSyncClient stranger = client(key)) {
            assertEquals(List.of(), stranger.listPrompts().prompts());
            var none = assertThrows(
                    McpError.class,
                    () -> stranger.getPrompt(
                            GetPromptRequest.builder("release-notes").build()));
            assertEquals(-32602, none.getJsonRpcError().code());
        }
    }

    private static void skill(String project, Map<String, Object> skill) {
        api.create("/v1/projects/" + project + "/skills", skill);
    }

    @Test
    @Tag("Q5")
    void toolResultReportsErrors() {
        // Given
        JsonNode key = api.post("/v1/api-keys", Map.of("name", "reads", "permissions", List.of("session.read")))
                .json();

        // Then
        String failed = failure(call("ask_agent", Map.of("text", "!fail invalid_request")));
        assertTrue(failed.contains("has failed") && failed.contains("mcp:"), failed);
        assertTrue(failure(call("ask_agent", Map.of("text", "x", "agent", "nobody")))
                .contains("nobody"));
        assertTrue(failure(call("list_sessions", Map.of("project", "nowhere"))).contains("unknown_project"));
        assertTrue(failure(call("get_process", Map.of("process", "../agents"))).length() < 500);
        try (McpSyncClient reader = client(key.path("apiKey").asText())) {
            CallToolResult refused = reader.callTool(CallToolRequest.builder("ask_agent")
                    .arguments(Map.of("text", "hello"))
                    .build());
            assertTrue(failure(refused).contains("session.send"), text(refused));
        }
        try (McpSyncClient stranger = client("sk-sentinel-wrong")) {
            assertThrows(RuntimeException.class, stranger::initialize);
        }
    }

    @Test
    @Tag("Q6")
    void retainsRecallsAndReflects() {
        // When
        data("retain", Map.of("text", "Alice Chen moved to Oslo in May, because she joined Equinor."));
        JsonNode found = data("recall", Map.of("query", "where does Alice work?"));
        JsonNode answer = data("reflect", Map.of("question", "Where does Alice live?"));

        // Then
        assertTrue(found.toString().contains("Equinor"), found.toString());
        assertFalse(string(answer, "answer").isEmpty());
        String bank = string(rows(data("list_banks", Map.of("scope", "user"))).getFirst(), "id");
        assertTrue(
                data("recall", Map.of("query", "Oslo", "bank", bank)).toString().contains("Oslo"));
    }

    @Test
    @Tag("Q7")
    void startsAWorkflowAndCompletesItsTask() {
        // Given
        String yaml = """
                document: { dsl: '1.0.3', namespace: mcp, name: order, version: '1.0.0' }
                do:
                  - confirm: { ask: { prompt: go on? } }
                  - end: { set: { n: 42 } }
                """;
        Answer published = api.postYaml("/v1/projects/default/workflows", yaml);
        assertEquals(201, published.status(), published.text());

        // When
        Map<String, Object> start =
                Map.of("workflow", "mcp:order", "input", Map.of("a", 1), "wait_seconds", 0, "idempotency_key", "s");
        String process = string(data("start_workflow", start), "id");

        // Then
        assertEquals(process, string(data("start_workflow", start), "id"));
        assertEquals("order", string(rows(data("list_workflows", Map.of())).getFirst(), "name"));
        JsonNode task = Awaitility.await()
                .until(() -> task(process), Optional::isPresent)
                .orElseThrow();
        Map<String, Object> yes = Map.of("task", string(task, "id"), "value", "yes");
        String refused = failure(call("complete_task", yes));
        assertTrue(refused.contains("mcp.answer"), refused);
        data(person, "complete_task", yes);
        JsonNode completed = data("get_process", Map.of("process", process, "wait_seconds", 60));
        assertEquals("completed", string(completed, "phase"), completed.toString());
        assertTrue(rows(data("list_processes", Map.of("workflow", "mcp:order"))).stream()
                .anyMatch(row -> string(row, "id").equals(process)));
        assertEquals(
                1,
                data("publish_event", Map.of("type", "com.example.paid"))
                        .path("accepted")
                        .asInt());
        assertEquals(yaml, read("parley://projects/default/workflows/mcp%3Aorder/definition"));
        assertTrue(client.listResources().resources().stream()
                .anyMatch(resource -> resource.uri().equals("parley://processes/" + process)));
    }

    private static Optional<JsonNode> task(String process) {
        return rows(data("list_tasks", Map.of("mine", true))).stream()
                .filter(task -> string(task, "processId").equals(process))
                .findFirst();
    }

    @Test
    @Tag("Q8")
    void servesClientsThatDoNotInitialize() {
        JsonNode discovered =
                Api.json(modern("server/discover", Map.of(), Map.of()).text()).path("result");
        assertEquals("2026-07-28", discovered.path("supportedVersions").path(0).asText());

        Answer response = modern(
                "tools/call",
                Map.of("name", "ask_agent", "arguments", Map.of("text", "my name is Yvaine")),
                Map.of("Mcp-Name", "ask_agent"));
        JsonNode result = Api.json(response.text()).path("result");
        assertEquals("complete", string(result, "resultType"), response.text());
        assertTrue(result.path("structuredContent").path("done").asBoolean(), response.text());

        JsonNode unknown = Api.json(modern(
                                "resources/read",
                                Map.of("uri", "parley://processes/none"),
                                Map.of("Mcp-Name", "parley://processes/none"))
                        .text())
                .path("error");
        assertEquals(-32602, unknown.path("code").asInt(), unknown.toString());
    }

    private static Answer modern(String method, Map<String, Object> params, Map<String, String> headers) {
        Map<String, Object> meta = Map.of(
                "io.modelcontextprotocol/protocolVersion",
                "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities",
                Map.of());
        var allHeaders = new java.util.HashMap<>(headers);
        allHeaders.put("MCP-Protocol-Version", "2026-07-28");
        allHeaders.put("Mcp-Method", method);
        allHeaders.put("Accept", "application/json, text/event-stream");
        return api.post(
                "/mcp",
                Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", with(params, "_meta", meta)),
                allHeaders);
    }
}
