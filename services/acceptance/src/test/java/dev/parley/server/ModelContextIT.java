package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.HttpDouble.Reply;
import dev.parley.platform.testkit.HttpDouble.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests to models as the provider receives them: from one process, and from another after the first one's store was
 * lost and restored from its changelog.
 */
class ModelContextIT {

    private static final String REASONING =
            "{\"type\":\"reasoning\",  \"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAAA==\"}";
    private static final String SEARCH =
            "{\"type\":\"web_search_call\",\"id\":\"ws_1\",\"status\":\"completed\",\"action\":{\"type\":\"search\",\"query\":\"moon\","
                    + " \"sources\":[{\"type\":\"url\",\"url\":\"https://example.com\"}]}}";
    private static final String FILES = "{\"type\":\"file_search_call\",\"id\":\"fs_1\",\"status\":\"completed\","
            + "\"queries\":[ \"moon\" ],\"results\":[{\"file_id\":\"f_1\",\"score\":0.50,\"text\":\"cheese\"}]}";
    private static final String CODE = "{\"type\":\"code_interpreter_call\",\"id\":\"ci_1\",\"status\":\"completed\","
            + "\"container_id\":\"c_1\",\"code\":\"1 +  1\",\"outputs\":[{\"type\":\"logs\",\"logs\":\"2\"}]}";
    private static final String UNKNOWN = "{\"type\":\"hologram_call\",\"id\":\"h_1\",\"depth\": 9007199254740993}";
    private static final String SPOKEN =
            "{\"type\":\"message\",\"id\":\"msg_9\",\"status\":\"completed\",\"role\":\"assistant\","
                    + "\"phase\":\"commentary\",\"content\":[{\"type\":\"output_text\",\"text\":\"look\",\"annotations\":"
                    + "[{\"type\":\"url_citation\",\"url\":\"https://example.com\",\"title\":\"x\",\"start_index\":0,\"end_index\":4}]},{\"type\":\"refusal\",\"refusal\":\"not"
                    + " that\"}]}";
    private static final String CALL = Responses.call("call_1", "echo", "{\"text\" :   \"hi\"}");
    private static final String CARD = "1234 5678 1234 5678";

    @TempDir
    static Path folder;

    private static HttpDouble openai;
    private static Servers servers;
    private static Instance instance;
    private static Api api;

    private static List<String> items;
    private static List<String> itemsLater;
    private static List<String> isolated;
    private static List<String> forked;
    private static List<String> replaced;
    private static List<String> summarised;
    private static List<String> summarisedLater;
    private static List<String> delegated;
    private static List<String> delegatedLater;
    private static List<String> nobody;
    private static List<String> wrong;
    private static List<String> blocked;
    private static List<String> rewritten;
    private static List<String> carefulLater;

    @BeforeAll
    static void talkLoseTheStoreAndGoOn() throws IOException {
        openai = new HttpDouble();
        Files.writeString(folder.resolve("parley.yml"), """
            providers:
              openai: { baseUrl: "%s", apiKey: "file:%s" }
            agents:
              - { name: teller, model: openai/gpt-5, tools: [echo] }
              - { name: boss, model: openai/gpt-5, tools: [delegate] }
              - { name: helper, description: knows colours, mode: subagent, model: openai/gpt-5-mini, tools: [echo, message] }
              - { name: short, model: openai/gpt-5, tools: [echo], limits: { compactAt: 2, keep: 1 } }
              - name: careful
                model: openai/gpt-5
                tools: [echo]
                guardrails:
                  - { name: fruit, on: input, pattern: forbidden fruit, action: block, message: Not that. }
                  - { name: cards, pattern: '\\d{4}( \\d{4}){3}', action: rewrite, replacement: '[card]' }
              - name: judged
                model: openai/gpt-5
                guardrails: [{ name: judge, on: input, tool: no_such_tool }]
              - name: lenient
                model: openai/gpt-5
                guardrails: [{ name: judge, on: input, tool: no_such_tool, onError: allow }]
            """.formatted(
                        openai.url(), Files.writeString(folder.resolve("key"), "sk-of-this-test\n")));
        servers = new Servers(folder);
        start();

        items = submit(
                "web:items",
                "teller",
                "go",
                answer(REASONING, SEARCH, FILES, CODE, UNKNOWN, SPOKEN, CALL),
                says("fine"));
        submit("web:ann", "teller", "my name is Ann", says("hello"));
        submit("web:bob", "teller", "my name is Bob", says("hello"));
        submit("web:short", "short", "the first words", says("one"));
        summarised = submit("web:short", "short", "the second words", 2, says("two"), says("SUMMARY ONE"));
        delegated = submit(
                "web:boss",
                "boss",
                "my safe has 4711; ask for a colour",
                answer(Responses.call("d_1", "delegate", "{\"agent\":\"helper\",\"task\":\"name a colour\"}")),
                answer(Responses.call("m_1", "message", "{\"text\":\"working on it\"}")),
                says("blue it is"),
                says("blue"));
        nobody = submit(
                "web:boss",
                "boss",
                "ask nobody",
                answer(Responses.call("d_2", "delegate", "{\"agent\":\"nobody\",\"task\":\"x\"}")),
                says("there is none"));
        wrong = submit(
                "web:wrong",
                "teller",
                "call it wrongly",
                answer(Responses.call("w_1", "echo", "{\"no\":1}")),
                says("oh"));
        blocked = submit("web:careful", "careful", "the forbidden fruit");
        rewritten = submit(
                "web:careful",
                "careful",
                "my card is " + CARD,
                answer(Responses.call("c_1", "echo", "{\"text\":\"" + CARD + "\"}")),
                says("noted " + CARD));

        instance.close();
        servers.forgetStores("one");
        start();

        itemsLater = submit("web:items", "teller", "and now?", says("later"));
        isolated = submit("web:ann", "teller", "who am I?", says("Ann"));
        summarisedLater = submit("web:short", "short", "the third words", 2, says("three"), says("SUMMARY TWO"));
        delegatedLater = submit(
                "web:boss",
                "boss",
                "another one",
                answer(Responses.call("d_3", "delegate", "{\"agent\":\"helper\",\"task\":\"name another\"}")),
                says("red it is"),
                says("red"));
        carefulLater = submit("web:careful", "careful", "go on", says("on"));
        fork("web:items", "web:fork");
        forked = submit("web:fork", "teller", "and in the fork?", says("as well"));
        fork("web:ann", "web:bob");
        replaced = submit("web:bob", "teller", "who am I?", says("Ann"));
    }

    private static void start() {
        instance = servers.start("one");
        api = Api.of(instance);
    }

    private static void fork(String from, String to) {
        Api.Answer forking = api.post("/v1/sessions/" + from + "/fork?wait=60s", Map.of("target", to));
        assertTrue(forking.status() < 300, forking.text());
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
        openai.close();
    }

    /** Submits a message; returns the bodies of the provider requests of its turn. */
    private static List<String> submit(String session, String agent, String text, Reply... replies) {
        return submit(session, agent, text, replies.length, replies);
    }

    private static List<String> submit(String session, String agent, String text, int requests, Reply... replies) {
        int before = openai.seen().size();
        openai.answers(replies);
        JsonNode turn = api.turn(session, Map.of("text", text, "agent", agent)).json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        Awaitility.await().until(() -> openai.seen().size() >= before + requests);
        return openai.seen().stream().skip(before).map(Seen::body).toList();
    }

    private static Reply says(String text) {
        return answer(Responses.message(text));
    }

    private static Reply answer(String... items) {
        return HttpDouble.stream(stream -> {
            for (int i = 0; i < items.length; i++) {
                stream.event("{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}"
                        .formatted(i, items[i]));
            }
            stream.event("{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\","
                    + "\"model\":\"gpt-5\",\"output\":[" + String.join(",", items)
                    + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}");
        });
    }

    private static List<String> tools(String body) {
        return StreamSupport.stream(Api.json(body).path("tools").spliterator(), false)
                .map(tool -> tool.path("name").asText())
                .sorted()
                .toList();
    }

    private static void assertContains(String part, String body) {
        assertTrue(body.contains(part), () -> part + "\nis not in\n" + body);
    }

    // ---- the provider's own items

    @Test
    @Tag("P17")
    @Tag("P18")
    @Tag("P19")
    void returnsRepliesCallsAndReasoningByteForByte() {
        for (String body : List.of(items.get(1), itemsLater.getFirst())) {
            assertContains(SPOKEN, body);
            assertContains(CALL, body);
            assertContains("\"call_id\":\"call_1\",\"output\":\"hi\"", body);
            assertContains(REASONING, body);
            assertTrue(body.indexOf(REASONING) < body.indexOf(CALL));
        }
    }

    @Test
    @Tag("P20")
    @Tag("P21")
    void returnsProviderSearchesByteForByte() {
        for (String body : List.of(items.get(1), itemsLater.getFirst())) {
            assertContains(FILES, body);
            assertContains(SEARCH, body);
        }
    }

    @Test
    @Tag("P23")
    @Tag("P24")
    void returnsCodeAndUnknownItemsByteForByte() {
        for (String body : List.of(items.get(1), itemsLater.getFirst())) {
            assertContains(CODE, body);
            assertContains(UNKNOWN, body);
        }
    }

    // ---- sessions

    @Test
    @Tag("P1")
    @Tag("P15")
    void requestHasTheHistoryOfItsOwnSessionOnly() {
        String body = isolated.getFirst();

        assertContains("my name is Ann", body);
        assertFalse(body.contains("Bob"), body);
    }

    @Test
    @Tag("K16")
    void forkHasTheHistoryWithProviderItems() {
        String body = forked.getFirst();

        for (String item : List.of(REASONING, SEARCH, FILES, CODE, UNKNOWN, SPOKEN, CALL)) {
            assertContains(item, body);
        }
        assertContains("and in the fork?", body);
    }

    @Test
    @Tag("K17")
    void forkIntoASessionReplacesItsContext() {
        String body = replaced.getFirst();

        assertContains("my name is Ann", body);
        assertFalse(body.contains("my name is Bob"), body);
    }

    @Test
    @Tag("P5")
    @Tag("P6")
    void replacesOldTurnsByCumulativeSummaries() {
        // Then
        assertContains("the first words", summarised.get(0));
        assertContains("the first words", summarised.get(1));

        String first = summarisedLater.get(0);
        assertContains("SUMMARY ONE", first);
        assertContains("the second words", first);
        assertFalse(first.contains("the first words"), first);

        String second = summarisedLater.get(1);
        assertContains("SUMMARY ONE", second);
        assertFalse(second.contains("the first words"), second);
    }

    // ---- tools and delegates

    @Test
    @Tag("P34")
    @Tag("P38")
    void requestHasTheToolsOfTheAgentAndTheirErrors() {
        assertEquals(List.of("echo"), tools(wrong.getFirst()));
        String output =
                Api.json(wrong.get(1)).path("input").path(2).path("output").asText();
        assertTrue(output.startsWith("error:"), output);
    }

    @Test
    @Tag("P29")
    @Tag("P30")
    void delegateGetsItsTaskWithoutTheParentsHistory() {
        // Then
        String child = delegated.get(1);
        assertEquals("gpt-5-mini", Api.json(child).path("model").asText());
        assertContains("name a colour", child);
        assertFalse(child.contains("4711"), child);
        assertContains("\"call_id\":\"m_1\",\"output\":\"working on it\"", delegated.get(2));

        String parent = delegated.get(3);
        assertContains("blue it is", parent);
        assertFalse(parent.contains("working on it"), parent);
        assertFalse(
                api.get("/v1/sessions/web:boss/messages").text().contains("working on it"),
                "nor was it said to anybody");

        String followUp = delegatedLater.get(1);
        assertContains("name a colour", followUp);
        assertContains("blue it is", followUp);
        assertContains("name another", followUp);
        assertFalse(followUp.contains("4711"), followUp);
    }

    @Test
    @Tag("P35")
    @Tag("P36")
    void delegateToolListsTheAvailableAgents() {
        JsonNode delegate = Api.json(delegated.getFirst()).path("tools").path(0);
        assertEquals("delegate", delegate.path("name").asText());
        assertContains("helper: knows colours", delegate.path("description").asText());
        assertContains("there is no agent 'nobody' to delegate to", nobody.get(1));
        assertContains("helper", nobody.get(1));
    }

    // ---- guardrails

    @Test
    @Tag("G1")
    void blockedTextReachesNoModel() {
        assertEquals(List.of(), blocked);
        for (Seen request : openai.seen()) {
            assertFalse(request.body().contains("forbidden fruit"), request.body());
        }
        assertContains("withheld", carefulLater.getFirst());
    }

    @Test
    @Tag("G2")
    @Tag("G5")
    void rewrittenTextReachesModelsInThatFormOnly() {
        assertContains("my card is [card]", rewritten.getFirst());
        assertContains("\"call_id\":\"c_1\"", rewritten.get(1));
        assertContains("[card]", rewritten.get(1));
        assertContains("noted [card]", carefulLater.getFirst());
        for (Seen request : openai.seen()) {
            assertFalse(request.body().contains(CARD), request.body());
        }
    }

    @Test
    @Tag("G8")
    void failingGuardrailBlocksUnlessConfiguredToAllow() {
        assertEquals(List.of(), submit("web:judged", "judged", "may I?"));
        assertContains(
                "may I?",
                submit("web:lenient", "lenient", "may I?", says("yes")).getFirst());
    }

    // ---- incomplete replies

    @Test
    @Tag("I64")
    void incompleteReplyHasItsFinishReason() {
        // Then
        assertEquals(
                "half of it\n(cut)",
                incompleteTurn("max_output_tokens").path("reply").asText());
        assertEquals(
                "content_filter",
                incompleteTurn("content_filter").path("error").path("type").asText());
        List<String> reasons = Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/web:ends/messages?role=assistant").stream()
                                .map(message -> message.path("finishReason").asText())
                                .toList(),
                        found -> found.size() == 2 && !found.contains("null"));
        assertEquals(List.of("length", "content-filter"), reasons);
    }

    /** A turn whose only model call ends early. */
    private static JsonNode incompleteTurn(String reason) {
        String item =
                "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"incomplete\",\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"output_text\",\"text\":\"half of it\",\"annotations\":[]}]}";
        openai.answers(HttpDouble.stream(stream -> {
            stream.event("{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":" + item + "}");
            stream.event("{\"type\":\"response.incomplete\",\"response\":{\"id\":\"resp_1\",\"status\":\"incomplete\","
                    + "\"incomplete_details\":{\"reason\":\"" + reason + "\"},\"model\":\"gpt-5\",\"output\":[" + item
                    + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}");
        }));
        return api.turn("web:ends", Map.of("text", reason, "agent", "teller")).json();
    }

    // ---- keys

    @Test
    @Tag("A3")
    void readsTheKeyFileOnEachModelCall() throws IOException {
        // Given
        Path key = folder.resolve("key");
        Files.writeString(key, "sk-rotated\n");
        submit("web:key", "teller", "with a new key", says("fine"));
        assertEquals("Bearer sk-rotated", openai.seen().getLast().header("Authorization"));

        // When
        int before = openai.seen().size();
        Files.delete(key);
        JsonNode turn = api.turn("web:key", Map.of("text", "without one", "agent", "teller"))
                .json();
        Files.writeString(key, "sk-again\n");

        // Then
        assertEquals("FAILED", turn.path("state").asText(), turn.toString());
        assertEquals("auth", turn.path("error").path("type").asText(), turn.toString());
        assertEquals(before, openai.seen().size(), "nobody was asked without a key");
        submit("web:key", "teller", "and back", says("fine"));
        assertEquals("Bearer sk-again", openai.seen().getLast().header("Authorization"));
    }

    // ---- imports

    private static CommandRun importFrom(String... arguments) {
        var command = new ArrayList<>(List.of("import-from"));
        command.addAll(List.of(arguments));
        if (!command.contains("--url")) {
            command.addAll(List.of("--url", instance.url()));
        }
        if (!command.contains("--key")) {
            command.addAll(List.of("--key", Servers.KEY));
        }
        return CommandRun.of(
                Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()), command.toArray(String[]::new));
    }

    private static void assertOutput(int status, CommandRun run, String... parts) {
        assertEquals(status, run.status(), run.output());
        String text = run.output().replaceAll(" +", " ");
        for (String part : parts) {
            assertContains(part, text);
        }
    }

    private static String script(String name) throws IOException {
        try (var script = ModelContextIT.class.getResourceAsStream("/imports/" + name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String sqlite(Path file, String script) throws IOException, SQLException {
        Files.createDirectories(file.getParent());
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
        return file.toString();
    }

    /** A schema of its own in the database of this test; returns its address, with the password in it. */
    private static String postgres(String schema, String script) throws IOException, SQLException {
        var owner = servers.database().owner();
        String url = owner.url() + (owner.url().contains("?") ? "&" : "?") + "currentSchema=" + schema;
        try (var connection = DriverManager.getConnection(url, owner.user(), owner.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + schema + "; " + script);
        }
        return url + "&user=" + owner.user() + "&password=" + owner.password();
    }

    private static List<String> texts(String session) {
        return api.list(session + "/messages?limit=200").stream()
                .map(JsonNode::toString)
                .toList();
    }

    @Test
    @Tag("X3")
    void importsFromPinguWithProviderItems() throws IOException, SQLException {
        String file = sqlite(folder.resolve("pingu/pingu.db"), script("pingu.sql"));

        // a dry run creates nothing
        assertOutput(
                0,
                importFrom("pingu", file, "--dry-run"),
                "Nothing was made.",
                "sessions 3 new 0 there already 1 not taken");
        assertEquals(404, api.get("/v1/sessions/telegram:648079060").status());

        // the first import creates everything, the second nothing
        Path report = folder.resolve("pingu/report.json");
        assertOutput(
                0,
                importFrom("pingu", file, "--report", report.toString()),
                "sessions 3 made 0 there already 1 not taken",
                "documents 1 made");
        assertEquals(
                3, Api.json(Files.readString(report)).at("/kinds/sessions/made").asInt());
        List<String> before = Awaitility.await()
                .until(
                        () -> texts("/v1/sessions/telegram:648079060"),
                        texts -> texts.toString().contains("No cheese."));
        assertOutput(
                0,
                importFrom("pingu", file),
                "sessions 0 made 3 there already 1 not taken",
                "documents 0 made 1 there already");
        assertEquals(before, texts("/v1/sessions/telegram:648079060"));
        assertEquals(
                api.get("/v1/sessions/telegram:648079060").json().path("id").asText("none"),
                api.get("/v1/sessions/telegram:648079060:delegate:sysinfo")
                        .json()
                        .path("parentId")
                        .asText());

        // the model gets the imported history with its own items unchanged
        String body = submit("telegram:648079060", "teller", "what is my name?", says("Zoe"))
                .getFirst();
        assertContains("My name is Zoe.", body);
        assertContains("\"encrypted_content\":\"gAAAA==\"", body);
        assertFalse(
                body.contains("gBBBB=="),
                "of this answer the text alone was kept, and reasoning goes with its own item");
        assertContains("{\"id\":\"ws_1\",\"type\":\"web_search_call\"", body);
        assertContains("No cheese.", body);
        assertContains("what is my name?", body);

        // sessions continued here are unchanged; new turns of the source are reported as a conflict
        assertOutput(0, importFrom("pingu", file), "sessions 0 made 3 there already");
        sqlite(
                Path.of(file),
                "INSERT INTO turns (session_id, user_message, response_json) VALUES ('telegram:648079060', 'more',"
                        + " '{\"output\":[]}')");
        assertOutput(
                0,
                importFrom("pingu", file),
                "sessions 0 made 2 there already 2 not taken",
                "its key is in use for something else");
        assertFalse(texts("/v1/sessions/telegram:648079060").toString().contains("\"more\""));

        // a session deleted here stays deleted
        assertTrue(api.delete("/v1/sessions/lost:delegated:sysinfo").status() < 300);
        Awaitility.await()
                .until(() -> api.get("/v1/sessions/lost:delegated:sysinfo").status() == 404);
        assertOutput(
                0,
                importFrom("pingu", file),
                "sessions 0 made 1 there already 3 not taken",
                "it was imported before and deleted here");
    }

    @Test
    @Tag("X3")
    void importsProjectsFromIris() throws IOException, SQLException {
        Path home = folder.resolve("iris");
        sqlite(home.resolve("iris.db"), script("iris-root.sql"));
        sqlite(home.resolve("projects/p1/project.db"), script("iris-project.sql"));

        assertOutput(
                0,
                importFrom("iris", home.toString(), "--dry-run"),
                "projects 2 new",
                "sessions 3 new",
                "agents 1 new");
        CommandRun run = importFrom("iris", home.toString());
        assertOutput(
                0,
                run,
                "projects 2 made",
                "tools 2 made",
                "agents 1 made",
                "sessions 3 made",
                "files 1 made",
                "rules 2 made");
        assertFalse(run.output().contains("hash-of-ann"), run.output());
        assertOutput(
                0,
                importFrom("iris", home.toString()),
                "projects 0 made 2 there",
                "tools 0 made 2 there",
                "agents 0 made 1 there",
                "sessions 0 made 3 there",
                "files 0 made 1 there",
                "rules 0 made 2 there");

        String project = "/v1/projects/"
                + api.list("/v1/projects?limit=100").stream()
                        .filter(row -> row.path("externalKey").asText().equals("iris:p1"))
                        .findFirst()
                        .orElseThrow()
                        .path("key")
                        .asText();
        JsonNode session = api.get(project + "/sessions/iris:ses_1").json();
        assertEquals("The colour of the sky", session.path("title").asText());
        assertEquals("guide", session.path("agent").asText());
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        List.of("Look up", "Write it down"),
                        api.list(project + "/sessions/iris:ses_1/todos").stream()
                                .map(todo -> todo.path("content").asText())
                                .toList()));
        JsonNode child = Awaitility.await()
                .until(
                        () -> api.get(project + "/sessions/iris:ses_1:delegate:explore~ses_3")
                                .json(),
                        view -> view.path("status").asText().equals("archived"));
        assertEquals(session.path("id"), child.path("parentId"));
        assertEquals(
                "# Sky", api.get(project + "/files/content?path=notes/sky.md").text());

        int before = openai.seen().size();
        openai.answers(says("blue"));
        JsonNode turn = api.turn(project + "/sessions/iris:ses_1", Map.of("text", "so?", "agent", "teller"))
                .json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        String body = openai.seen().get(before).body();
        assertContains("What colour\\nis the sky?", body);
        assertContains("\"call_id\":\"call_2\"", body);
        assertContains("It is blue.", body);
        assertFalse(body.contains("\"hm\""), "reasoning without a signature goes to no model: " + body);
        assertContains(
                "\"kind\":\"reasoning\",\"text\":\"hm\"",
                api.list(project + "/sessions/iris:ses_1/messages").toString());
    }

    @Test
    @Tag("X3")
    void importsEachAgentOfIkigaiAsASession() throws IOException, SQLException {
        String url = postgres("ikigai_source", script("ikigai.sql"));

        assertOutput(0, importFrom("ikigai", url, "--dry-run"), "sessions 3 new");
        CommandRun run = importFrom("ikigai", url);
        assertOutput(0, run, "sessions 3 made", "mail: Parley has no mail between agents (1)", "its id is missing");
        assertFalse(run.output().contains("password="), run.output());
        assertOutput(0, importFrom("ikigai", url), "sessions 0 made 3 there already");

        Awaitility.await()
                .until(() -> api.list("/v1/sessions/ikigai:root/messages")
                        .toString()
                        .contains("\"kind\":\"reasoning\",\"itemType\":\"thinking\",\"text\":\"hm\""));

        String body = submit("ikigai:root", "teller", "and now?", says("fine")).getFirst();
        assertFalse(body.contains("hm"), "reasoning goes to its own provider only: " + body);
        assertContains("\"call_id\":\"call_1\",\"output\":\"a.txt\"", body);
        assertContains("There is a.txt.", body);
        for (String omitted : List.of("forget this", "undone", "broken off")) {
            assertFalse(body.contains(omitted), body);
        }
    }

    @Test
    @Tag("X3")
    void importsToolsSkillsAgentsAndMemoryFromLightFabric() throws IOException, SQLException {
        String host = "00000000-0000-4000-8000-000000000001";
        String url = postgres("light_source", script("light-fabric.sql"));

        assertOutput(1, importFrom("light-fabric", url), "There are several hosts in it");
        assertOutput(
                0, importFrom("light-fabric", url, "--host", host, "--dry-run"), "skills 3 new", "documents 3 new");
        assertOutput(
                0,
                importFrom("light-fabric", url, "--host", host),
                "tools 2 made",
                "skills 3 made",
                "agents 1 made",
                "banks 1 made",
                "documents 3 made",
                "directives 1 made",
                "sessions 1 made");
        assertOutput(
                0,
                importFrom("light-fabric", url, "--host", host),
                "tools 0 made 2 there",
                "skills 0 made 3 there",
                "agents 0 made 1 there",
                "banks 0 made 1 there",
                "documents 0 made 3 there",
                "directives 0 made 1 there",
                "sessions 0 made 1 there");

        JsonNode agent = api.get("/v1/projects/default/agents/travel-agent").json();
        assertEquals("openai/gpt-5", agent.path("model").asText(), agent.toString());
        assertEquals("plan-trips", agent.at("/skills/0/name").asText(), agent.toString());
        String bank = api.list("/v1/banks?scope=agent&agent=travel-agent&fresh=true")
                .getFirst()
                .path("id")
                .asText();
        Awaitility.await() // until the facts are extracted
                .untilAsserted(() -> assertContains(
                        "Oslo",
                        api.post("/v1/banks/" + bank + "/recall", Map.of("query", "where does Alice live?"))
                                .json()
                                .path("memories")
                                .toString()));

        String body = submit(
                        "light-fabric:00000000-0000-4000-8000-000000000031",
                        "travel-agent",
                        "and Bob?",
                        says("no idea"))
                .getFirst();
        assertContains("Where is Alice?", body);
        assertContains("In Oslo.", body);
        assertContains("plan-trips", body);
    }

    @Test
    @Tag("X3")
    void importReportsAMissingServerKeyOrProject() throws IOException, SQLException {
        String file = sqlite(folder.resolve("nothing/pingu.db"), script("pingu.sql"));

        assertOutput(1, importFrom("pingu", file, "--key", "a-wrong-key-of-this-test"), "The key is wrong");
        assertOutput(
                1,
                importFrom("pingu", file, "--url", "http://127.0.0.1:1"),
                "Parley is not running at http://127.0.0.1:1");
        assertOutput(
                1, importFrom("ikigai", "jdbc:postgresql://127.0.0.1:1/x?password=hidden-word"), "cannot be reached");
        assertOutput(1, importFrom("pingu", file, "--project", "no-such-project"), "There is no project");
    }
}
