package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AG-UI and A2A against a complete server process. */
class AgentProtocolsIT {
    private static final String RUNS = "/v1/agui/default";
    private static final String AGENT = "/a2a/default/default";
    private static final Map<String, String> NEW = Map.of("A2A-Version", "1.0");

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
        instance = servers.start("one");
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    private static Stream<JsonNode> events(Stream<String> lines) {
        return lines.filter(line -> line.startsWith("data: ")).map(line -> Api.json(line.substring("data: ".length())));
    }

    private static List<JsonNode> turns(String session) {
        return api.list("/v1/sessions/" + session + "/turns");
    }

    // ---- AG-UI

    private static Map<String, Object> input(String thread, String run, List<?> messages) {
        return Map.of("threadId", thread, "runId", run, "messages", messages);
    }

    private static Map<String, Object> userMessage(String id, String text) {
        return Map.of("id", id, "role", "user", "content", text);
    }

    private static List<JsonNode> run(Map<String, Object> input) {
        return events(api.stream(RUNS, input)).toList();
    }

    private static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.path("type").asText()).toList();
    }

    /** The conversation that a client sends with its next run. */
    private static List<Object> transcript(List<?> before, List<JsonNode> events) {
        var messages = new ArrayList<Object>(before);
        Map<String, StringBuilder> texts = new LinkedHashMap<>();
        for (JsonNode event : events) {
            switch (event.path("type").asText()) {
                case "TEXT_MESSAGE_CONTENT" ->
                    texts.computeIfAbsent(event.get("messageId").asText(), _ -> new StringBuilder())
                            .append(event.get("delta").asText());
                case "TOOL_CALL_START" ->
                    messages.add(Map.of(
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
        texts.forEach((id, text) -> messages.add(Map.of("id", id, "role", "assistant", "content", text.toString())));
        return messages;
    }

    private static String text(List<JsonNode> events) {
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
        List<JsonNode> events = run(input(
                "agui:tools", "r-1", List.of(userMessage("u1", "!say one\n!call time {}\n!then\n!say two three"))));

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
        assertEquals("onetwo three", text(events));
        assertTrue(events.getLast().at("/usage/0/totalTokens").asInt() > 0);
        assertTrue(events.stream().noneMatch(event -> event.toString().contains("null")));
    }

    @Test
    @Tag("D23")
    void resentConversationSubmitsEachMessageOnce() {
        // Given
        List<Object> first = List.of(
                Map.of("id", "a0", "role", "assistant", "content", "Your town is Oslo, I heard."),
                userMessage("u1", "my name is Ann"));

        // When
        List<JsonNode> original = run(input("agui:twice", "r-1", first));
        List<JsonNode> repeated = run(input("agui:twice", "r-1", first));
        List<Object> next = transcript(first, original);
        next.add(userMessage("u2", "what is my name?"));
        List<JsonNode> second = run(input("agui:twice", "r-2", next));
        List<JsonNode> rerun = run(input("agui:twice", "r-3", transcript(next, second)));

        // Then
        assertEquals(text(original), text(repeated));
        assertEquals("Your name is Ann.", text(second));
        assertEquals(
                List.of("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"),
                types(rerun),
                "nothing is left to be said");
        Awaitility.await().until(() -> turns("agui:twice").size() == 2);
        String messages = api.get("/v1/sessions/agui:twice/messages").text();
        assertEquals(1, messages.split("my name is Ann", -1).length - 1, messages);
    }

    /** A tool of the application, and a run in which the agent calls it. */
    private static Map<String, Object> withTool(String run, List<?> messages) {
        return Map.of(
                "threadId",
                "agui:calls",
                "runId",
                run,
                "messages",
                messages,
                "tools",
                List.of(Map.of(
                        "name", "pick", "description", "Picks a colour", "parameters", Map.of("type", "object"))));
    }

    private static void assertResultsAreAcceptedAfterARestart(List<Object> messages, String call) {
        var result = Map.of("id", "t1", "role", "tool", "toolCallId", call, "content", "blue");
        List<Object> withResult =
                Stream.concat(messages.stream(), Stream.of(result)).toList();

        // When
        List<JsonNode> unanswered = run(withTool("r-2", messages));
        List<JsonNode> second = run(withTool("r-3", withResult));
        List<JsonNode> repeated = run(withTool("r-4", withResult));

        // Then
        assertEquals("success", unanswered.getLast().at("/outcome/type").asText());
        assertEquals("", text(unanswered));
        assertTrue(second.toString().contains("picked"), second.toString()); // streamed, or in the snapshot
        assertTrue(
                types(second).stream().noneMatch(type -> type.startsWith("TOOL_CALL")),
                types(second).toString());
        assertTrue(repeated.toString().contains("picked"), repeated.toString());
        Awaitility.await().until(() -> turns("agui:calls").size() == 1);
    }

    @Test
    @Tag("D24")
    @Tag("D26")
    @Tag("D33")
    void pendingApprovalsAndToolCallsSurviveARestart() {
        // Given
        List<Object> calls = List.of(userMessage("u1", "!call pick {\"n\":1}\n!then\n!say picked"));
        List<JsonNode> called = run(withTool("r-1", calls));
        String call = called.stream()
                .filter(event -> event.path("type").asText().equals("TOOL_CALL_START"))
                .findFirst()
                .orElseThrow()
                .get("toolCallId")
                .asText();
        assertEquals(
                List.of("RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED"),
                types(called));
        List<Object> messages = List.of(userMessage("u1", "!call echo {\"text\":\"hi\"}\n!then\n!say done"));
        List<JsonNode> first = run(input("agui:asks", "r-1", messages));
        JsonNode interrupt = first.getLast().at("/outcome/interrupts/0");
        List<Object> transcript = transcript(messages, first);
        String task = result("SendMessage", message("r-1", "!call echo {\"text\":\"hi\"}\n!then\n!say done", Map.of()))
                .at("/task/id")
                .asText();

        // When
        restart();
        List<JsonNode> meanwhile = run(input("agui:asks", "r-1b", transcript));
        List<JsonNode> sentAgain = run(input("agui:asks", "r-1c", messages));
        JsonNode waits = result("GetTask", Map.of("id", task));
        JsonNode completed = result("SendMessage", message("r-2", "yes", Map.of("taskId", task)));
        var answer = Map.of(
                "interruptId", interrupt.get("id").asText(), "status", "resolved", "payload", Map.of("approved", true));
        Map<String, Object> resume =
                Map.of("threadId", "agui:asks", "runId", "r-2", "messages", transcript, "resume", List.of(answer));
        List<JsonNode> second = run(resume);
        List<JsonNode> repeated = run(resume);

        // Then
        assertEquals("interrupt", first.getLast().at("/outcome/type").asText());
        assertEquals(interrupt, meanwhile.getLast().at("/outcome/interrupts/0"), "it is asked as it was");
        assertEquals(interrupt, sentAgain.getLast().at("/outcome/interrupts/0"));
        assertEquals("TASK_STATE_INPUT_REQUIRED", state(waits));
        assertEquals(
                "echo",
                waits.at("/status/message/parts/1/data/questions/0/tool").asText());
        assertEquals("done", reply(completed.get("task")));
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
        assertEquals("done", text(second));
        assertEquals("success", second.getLast().at("/outcome/type").asText());
        assertEquals("success", repeated.getLast().at("/outcome/type").asText());
        Awaitility.await().until(() -> turns("agui:asks").size() == 1);
        assertResultsAreAcceptedAfterARestart(transcript(calls, called), call);
    }

    @Test
    @Tag("D25")
    void disconnectedRunContinuesAndErrorsAreReported() {
        // Given
        var stranger = new Api(instance.url(), "sk-sentinel-wrong");
        var hello = input("agui:wrong", "r-1", List.of(userMessage("u1", "!fail invalid_request")));

        // When
        try (Stream<String> lines =
                api.stream(RUNS, input("agui:left", "r-1", List.of(userMessage("u1", "!stream 20 words over 1s"))))) {
            assertEquals(
                    "RUN_STARTED",
                    events(lines).findFirst().orElseThrow().get("type").asText());
        }
        List<JsonNode> failed = run(hello);

        // Then
        assertEquals("RUN_ERROR", failed.getLast().get("type").asText());
        assertEquals("invalid_request", failed.getLast().get("code").asText());
        Answer unknown = stranger.post(RUNS, hello);
        assertEquals(401, unknown.status());
        assertEquals("unknown_agent", api.post("/v1/agui/helper", hello).code());
        Answer empty = api.post(RUNS, input("agui:wrong", "r-2", List.of()));
        assertEquals(400, empty.status());
        assertEquals("nothing_said", empty.code());
        assertEquals(
                "missing_required_parameter",
                api.post(RUNS, Map.of("threadId", "x", "messages", List.of())).code());
        JsonNode turn = Awaitility.await()
                .until(
                        () -> turns("agui:left"),
                        turns -> turns.size() == 1
                                && turns.getFirst().path("state").asText().equals("COMPLETED"))
                .getFirst();
        assertEquals(20, turn.get("reply").asText().split(" ").length);
    }

    // ---- A2A

    private static Map<String, Object> rpc(String method, Map<String, Object> params) {
        return Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", params);
    }

    private static Answer call(Map<String, String> version, String method, Map<String, Object> params) {
        return api.post(AGENT, rpc(method, params), version);
    }

    private static JsonNode result(String method, Map<String, Object> params) {
        Answer answer = call(NEW, method, params);
        assertTrue(answer.json().has("result"), answer.text());
        return answer.json().get("result");
    }

    private static int code(Answer answer) {
        assertEquals("2.0", answer.json().path("jsonrpc").asText(), answer.text());
        return answer.json().at("/error/code").asInt();
    }

    private static Map<String, Object> message(String id, String text, Map<String, Object> fields) {
        var message = new HashMap<String, Object>(fields);
        message.put("messageId", id);
        message.put("role", "ROLE_USER");
        message.put("parts", List.of(Map.of("text", text)));
        return Map.of("message", message);
    }

    private static String reply(JsonNode task) {
        return task.at("/artifacts/0/parts/0/text").asText();
    }

    private static String state(JsonNode task) {
        return task.at("/status/state").asText();
    }

    @Test
    @Tag("D30")
    void agentCardAndMethodsFollowTheProtocolVersion() {
        // When
        JsonNode old = api.get(AGENT + "/.well-known/agent-card.json").json();
        JsonNode now = api.send("GET", AGENT + "/.well-known/agent-card.json", null, NEW)
                .json();

        // Then
        assertEquals(instance.url() + AGENT, old.get("url").asText());
        assertEquals(
                instance.url() + AGENT, now.at("/supportedInterfaces/0/url").asText());
        assertEquals("Answers", now.get("description").asText());
        assertEquals(old, api.get("/.well-known/agent-card.json").json());
        assertEquals(
                404, api.get("/a2a/default/helper/.well-known/agent-card.json").status());
        assertEquals(-32601, code(call(Map.of(), "SendMessage", message("m", "x", Map.of()))));
        assertEquals(-32601, code(call(NEW, "message/send", Map.of())));
        assertEquals(-32009, code(call(Map.of("A2A-Version", "2.0"), "GetTask", Map.of())));
        var hello = Map.<String, Object>of(
                "messageId",
                "m-old",
                "role",
                "user",
                "kind",
                "message",
                "parts",
                List.of(Map.of("kind", "text", "text", "!say hello")));
        JsonNode task =
                call(Map.of(), "message/send", Map.of("message", hello)).json().get("result");
        assertEquals("task", task.get("kind").asText());
        assertEquals("completed", state(task));
        assertEquals("hello", reply(task));
    }

    @Test
    @Tag("D31")
    void mapsTasksToTurnsAndContextsToSessions() {
        // When
        JsonNode first = result("SendMessage", message("m-1", "my name is Ann", Map.of()))
                .get("task");
        JsonNode repeated = result("SendMessage", message("m-1", "my name is Ann", Map.of()))
                .get("task");
        Map<String, Object> context = Map.of("contextId", first.get("contextId").asText());
        JsonNode second = result("SendMessage", message("m-2", "what is my name?", context))
                .get("task");
        JsonNode fetched = result("GetTask", Map.of("id", second.get("id").asText()));

        // Then
        assertEquals(first.get("id"), repeated.get("id"));
        assertEquals("TASK_STATE_COMPLETED", state(second));
        assertEquals("Your name is Ann.", reply(second));
        assertEquals("Your name is Ann.", reply(fetched));
        assertEquals("what is my name?", fetched.at("/history/0/parts/0/text").asText());
        Awaitility.await().until(() -> turns(first.get("contextId").asText()).size() == 2);
        assertEquals(-32001, code(call(NEW, "GetTask", Map.of("id", "task-1"))));
        Map<String, Object> completedTask = Map.of("taskId", first.get("id").asText());
        assertEquals(-32004, code(call(NEW, "SendMessage", message("m-3", "more", completedTask))));
        assertEquals(-32004, code(call(NEW, "SendStreamingMessage", message("m-3", "more", completedTask))));
        assertEquals(
                -32004,
                code(call(NEW, "SubscribeToTask", Map.of("id", first.get("id").asText()))));
    }

    @Test
    @Tag("D32")
    void aTaskIsStreamed() {
        // When
        List<JsonNode> old = events(api.stream(
                        AGENT,
                        rpc(
                                "message/stream",
                                Map.of(
                                        "message",
                                        Map.of(
                                                "messageId",
                                                "s-1",
                                                "role",
                                                "user",
                                                "parts",
                                                List.of(Map.of(
                                                        "kind",
                                                        "text",
                                                        "text",
                                                        "!delay 300ms\n!say one\n!call time {}\n!then\n!say two")))))))
                .map(event -> event.get("result"))
                .toList();

        // Then
        assertEquals("task", old.getFirst().get("kind").asText());
        assertTrue(old.getLast().get("final").asBoolean());
        assertEquals("completed", state(old.getLast()));
        JsonNode artifact = old.get(old.size() - 2);
        assertEquals("artifact-update", artifact.get("kind").asText());
        assertTrue(artifact.get("lastChunk").asBoolean());
        assertEquals("two", artifact.at("/artifact/parts/0/text").asText());
        assertTrue(old.stream().noneMatch(event -> event.toString().contains("null")));
    }

    @Test
    @Tag("D33")
    void taskWithAnApprovalWaitsForItsAnswer() {
        // Given
        JsonNode asks = result(
                        "SendMessage", message("q-1", "!call echo {\"text\":\"hi\"}\n!then\n!say done", Map.of()))
                .get("task");
        Map<String, Object> task = Map.of("taskId", asks.get("id").asText());
        JsonNode fetched = result("GetTask", Map.of("id", asks.get("id").asText()));
        Answer unclear = call(NEW, "SendMessage", message("q-2", "why?", task));

        // When
        JsonNode completed = result("SendMessage", message("q-3", "yes", task)).get("task");

        // Then
        assertEquals("TASK_STATE_INPUT_REQUIRED", state(asks));
        assertEquals("TASK_STATE_INPUT_REQUIRED", state(fetched));
        assertEquals(
                "echo",
                fetched.at("/status/message/parts/1/data/questions/0/tool").asText());
        assertEquals(-32602, code(unclear));
        assertEquals(asks.get("id"), completed.get("id"));
        assertEquals("TASK_STATE_COMPLETED", state(completed));
        assertEquals("done", reply(completed));
        assertEquals(
                -32602,
                code(call(
                        NEW,
                        "SendMessage",
                        message("q-4", "x", Map.of("taskId", asks.get("id").asText(), "contextId", "another")))));
    }

    private static JsonNode listed(Map<String, Object> query, int count) {
        return Awaitility.await() // the tables are eventually consistent
                .until(
                        () -> result("ListTasks", query),
                        page -> page.path("totalSize").asInt() == count);
    }

    @Test
    @Tag("D31")
    void tasksAreListedByContextStateAndPage() {
        // Given
        Map<String, Object> context = Map.of("contextId", "list:1");
        for (int i = 0; i < 3; i++) {
            result("SendMessage", message("l-" + i, "!say reply " + i, context));
        }
        result("SendMessage", message("l-3", "!fail invalid_request", context));
        JsonNode atOnce = result("ListTasks", context);
        JsonNode asks = result("SendMessage", message("l-4", "!call echo {\"text\":\"hi\"}", context))
                .get("task");

        // When
        JsonNode allTasks = listed(context, 5);
        JsonNode first = result("ListTasks", Map.of("contextId", "list:1", "pageSize", 2, "historyLength", 0));
        JsonNode second = result(
                "ListTasks",
                Map.of(
                        "contextId",
                        "list:1",
                        "pageSize",
                        2,
                        "pageToken",
                        first.get("nextPageToken").asText()));
        JsonNode waits = listed(Map.of("contextId", "list:1", "status", "TASK_STATE_INPUT_REQUIRED"), 1);
        JsonNode completed =
                listed(Map.of("contextId", "list:1", "status", "TASK_STATE_COMPLETED", "includeArtifacts", true), 3);
        JsonNode future = result(
                "ListTasks",
                Map.of(
                        "contextId",
                        "list:1",
                        "statusTimestampAfter",
                        Instant.now().plusSeconds(60).toString()));

        // Then
        assertEquals(4, atOnce.get("totalSize").asInt(), "what was answered is listed");
        assertEquals(50, allTasks.get("pageSize").asInt());
        assertEquals("", allTasks.get("nextPageToken").asText());
        assertEquals(asks.get("id"), allTasks.at("/tasks/0/id"), "the newest first");
        assertEquals("TASK_STATE_FAILED", state(allTasks.at("/tasks/1")));
        assertFalse(allTasks.toString().contains("artifacts"), allTasks.toString());
        assertTrue(allTasks.at("/tasks/4/history/0/parts/0/text").asText().contains("reply 0"), allTasks.toString());
        assertEquals(2, first.get("tasks").size());
        assertFalse(first.toString().contains("history"), first.toString());
        assertEquals(allTasks.at("/tasks/2/id"), second.at("/tasks/0/id"));
        assertEquals(5, second.get("totalSize").asInt());
        assertEquals(asks.get("id"), waits.at("/tasks/0/id"));
        assertEquals("reply 2", reply(completed.at("/tasks/0")));
        assertEquals(0, future.get("tasks").size());
        assertEquals(-32602, code(call(NEW, "ListTasks", Map.of("status", "working"))));
        assertEquals(-32602, code(call(NEW, "ListTasks", Map.of("pageToken", "x"))));
        assertEquals(-32601, code(call(Map.of(), "ListTasks", Map.of())));
        result("CancelTask", Map.of("id", asks.get("id").asText()));
    }

    @Test
    @Tag("D34")
    @Tag("D35")
    void cancelsATaskAndReportsErrorsByCode() {
        // Given
        Map<String, Object> longMessage = new HashMap<>(message("c-1", "!stream 600 words over 60s", Map.of()));
        longMessage.put("configuration", Map.of("returnImmediately", true));
        JsonNode task = result("SendMessage", longMessage).get("task");
        Map<String, Object> id = Map.of("id", task.get("id").asText());
        var name = "a2a-ann";
        api.post("/v1/auth/register", Map.of("username", name, "password", "correct horse"));
        var ann = new Api(
                instance.url(),
                api.post("/v1/auth/login", Map.of("username", name, "password", "correct horse"))
                        .json()
                        .get("token")
                        .asText());
        String project = ann.project("P");

        // When
        Answer strangers = ann.post("/a2a/" + project + "/default", rpc("GetTask", id), NEW);
        Answer strangersCancel = ann.post("/a2a/" + project + "/default", rpc("CancelTask", id), NEW);
        JsonNode cancelled = result("CancelTask", id);

        // Then
        assertTrue(List.of("TASK_STATE_WORKING", "TASK_STATE_SUBMITTED").contains(state(task)), state(task));
        assertEquals(-32001, code(strangers));
        assertEquals(-32001, code(strangersCancel));
        assertEquals("TASK_STATE_CANCELED", state(cancelled));
        assertEquals(-32002, code(call(NEW, "CancelTask", id)));
        assertEquals(-32003, code(call(NEW, "CreateTaskPushNotificationConfig", Map.of("url", "http://127.0.0.1/"))));
        Answer stranger = new Api(instance.url(), "sk-sentinel-wrong").post(AGENT, rpc("GetTask", id), NEW);
        assertEquals(401, stranger.status());
        assertEquals(-32000, code(stranger));
        Answer unknown = api.post("/a2a/default/helper", rpc("GetTask", id), NEW);
        assertEquals(404, unknown.status());
        assertEquals(7, unknown.json().get("id").asInt());
        assertEquals(-32700, code(api.post(AGENT, "{", NEW)));
    }

    @Test
    @Tag("D31")
    @Tag("D35")
    void servesTheSameOperationsOverRest() {
        // When
        Answer sent = api.post(AGENT + "/message:send", message("h-1", "!say hello", Map.of()), NEW);
        String task = AGENT + "/tasks/" + sent.json().at("/task/id").asText();
        List<JsonNode> events = events(
                        api.stream(AGENT + "/message:stream?A2A-Version=1.0", message("h-2", "!say one two", Map.of())))
                .toList();
        Answer fetched = api.send("GET", task + "?historyLength=0", null, NEW);

        // Then
        assertEquals("hello", reply(sent.json().get("task")));
        assertEquals("TASK_STATE_COMPLETED", state(fetched.json()));
        assertFalse(fetched.json().has("history"));
        assertTrue(events.getFirst().has("task"));
        assertEquals("TASK_STATE_COMPLETED", state(events.getLast().get("statusUpdate")));
        assertEquals("VERSION_NOT_SUPPORTED", reason(400, api.get(task)));
        assertEquals("TASK_NOT_CANCELABLE", reason(400, api.post(task + ":cancel", Map.of(), NEW)));
        assertEquals("UNSUPPORTED_OPERATION", reason(400, api.post(task + ":subscribe", Map.of(), NEW)));
        assertEquals("UNSUPPORTED_OPERATION", reason(400, api.send("GET", task + ":subscribe", null, NEW)));
        assertEquals("VERSION_NOT_SUPPORTED", reason(400, api.get(AGENT + "/tasks")));
        assertEquals("INVALID_PARAMS", reason(400, api.send("GET", AGENT + "/tasks?pageSize=101", null, NEW)));
        String tasksOfContext = AGENT + "/tasks?includeArtifacts=true&contextId="
                + sent.json().at("/task/contextId").asText();
        JsonNode page = Awaitility.await()
                .until(
                        () -> api.send("GET", tasksOfContext, null, NEW).json(),
                        listed -> state(listed.at("/tasks/0")).equals("TASK_STATE_COMPLETED"));
        assertEquals(1, page.path("totalSize").asInt());
        assertEquals(sent.json().at("/task/id"), page.at("/tasks/0/id"));
        assertEquals("hello", reply(page.at("/tasks/0")));
        assertEquals(
                "PUSH_NOTIFICATION_NOT_SUPPORTED",
                reason(400, api.post(task + "/pushNotificationConfigs", Map.of("url", "http://127.0.0.1/"), NEW)));
        assertEquals("TASK_NOT_FOUND", reason(404, api.send("GET", AGENT + "/tasks/x", null, NEW)));
        assertEquals("UNAUTHORIZED", reason(401, new Api(instance.url(), "sk-sentinel-wrong").get(task)));
        assertEquals("INVALID_REQUEST", reason(404, api.get(AGENT + "/nothing")));
    }

    private static String reason(int status, Answer answer) {
        assertEquals(status, answer.status(), answer.text());
        assertEquals(status, answer.json().at("/error/code").asInt(), answer.text());
        return answer.json().at("/error/details/0/reason").asText();
    }

    // ---- Official clients

    @ParameterizedTest
    @ValueSource(strings = {"openai", "agents", "ai", "langchain", "mcp", "conformance", "a2a", "agui"})
    @Tag("B107")
    void officialClientsAreAnswered(String name) throws IOException {
        NpmClient.run(folder, name, api.url(), api.key());
    }
}
