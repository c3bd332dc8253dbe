package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Api.Answer;
import dev.parley.tools.Tool;
import dev.parley.tools.checkout.CheckoutTools;
import dev.parley.tools.checkout.Checkouts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that are defined at run time, from the API to the requests that a fake provider receives. */
class AgentsIT {
    private static final Map<String, String> ANY = Map.of("If-Match", "*");

    @TempDir
    static Path folder;

    private static HttpDouble openai;
    private static Instance instance;
    private static Api admin;
    private static Api ann;
    private static int projects;

    @BeforeAll
    static void start() throws IOException {
        openai = new HttpDouble();
        Files.writeString(folder.resolve("key"), "sk-sentinel-operator-0001\n");
        Files.writeString(folder.resolve("parley.yml"), """
                providers:
                  openai: { baseUrl: "%s", apiKey: "file:%s" }
                  local: { baseUrl: "%1$s", apiKey: "env:LOCAL_KEY" }
                agents:
                  - { name: house, prompt: Be of the house., model: scripted/small, apiKey: "env:HOUSE_KEY" }
                  - { name: quiet, hidden: true, prompt: I am the installation's., model: openai/gpt-5 }
                """.formatted(openai.url(), folder.resolve("key")));
        instance = Instances.start(folder.resolve("data"));
        admin = Api.of(instance);
        admin.signUp("boss"); // the first one is administrator
        ann = admin.signUp("ann");
    }

    @AfterAll
    static void stop() {
        instance.close();
        openai.close();
    }

    /** Creates a project of Ann's; returns its path. */
    private static String project() {
        return "/v1/projects/" + ann.project("P" + ++projects);
    }

    private static Map<String, Object> agent(String name, Object... properties) {
        var agent = new HashMap<String, Object>(Map.of("name", name, "model", "scripted/small"));
        for (int i = 0; i < properties.length; i += 2) {
            agent.put((String) properties[i], properties[i + 1]);
        }
        return agent;
    }

    private static Answer define(String project, String name, Object... properties) {
        return ann.create(project + "/agents", agent(name, properties));
    }

    private static Answer say(String project, String agent, String text) {
        return ann.turn(project + "/sessions/web:1", Map.of("text", text, "agent", agent));
    }

    private static List<String> names(Api api, String path) {
        return api.list(path).stream()
                .map(agent ->
                        agent.path("name").asText() + " " + agent.path("source").asText())
                .toList();
    }

    private static HttpDouble.Reply says(String item) {
        return Responses.reply(item);
    }

    private static final String YES = Responses.message("Yes.");
    private static final String ECHO = Responses.call("call_1", "echo", "{\"text\": \"hi\"}");

    private static JsonNode request(int fromLast) throws IOException {
        var requests = openai.seen();
        return new ObjectMapper()
                .readTree(requests.get(requests.size() - 1 - fromLast).body());
    }

    // ---- defining

    @Test
    @Tag("I80")
    @Tag("A1")
    void anAgentIsDefinedChangedAndDeleted() {
        // Given
        String project = project();

        // When
        Answer created = define(project, "poet", "prompt", "You are a poet.", "color", "#ff8800");

        // Then it is usable at once
        assertEquals("\"1\"", created.etag());
        JsonNode json = created.json();
        assertEquals("project", json.path("source").asText());
        assertTrue(json.path("maxTokens").isNull() && json.path("temperature").isNull(), json.toString());
        assertEquals("#ff8800", json.path("color").asText());
        assertEquals("30m", json.path("limits").path("turnTimeout").asText());
        assertEquals(
                "COMPLETED", say(project, "poet", "hello").json().path("state").asText());
        assertEquals(409, ann.post(project + "/agents", agent("poet")).status());

        // When it is changed
        var changed = agent("poet", "prompt", "You are a bad poet.", "limits", Map.of("maxSteps", 3));
        assertEquals(
                428,
                ann.send("PUT", project + "/agents/poet", changed, Map.of()).status());
        assertEquals(
                412,
                ann.send("PUT", project + "/agents/poet", changed, Map.of("If-Match", "\"7\""))
                        .status());
        Answer now = ann.send("PUT", project + "/agents/poet", changed, Map.of("If-Match", "\"1\""));

        // Then
        assertEquals(200, now.status(), now.text());
        assertEquals("\"2\"", ann.get(project + "/agents/poet").etag());
        assertEquals(3, now.json().path("limits").path("maxSteps").asInt());
        assertTrue(now.json().path("color").isNull(), "what is left out has its default again");
        assertNotEquals(json.path("version"), now.json().path("version"));

        // When it is deleted
        assertEquals(204, ann.delete(project + "/agents/poet").status());

        // Then
        assertEquals(404, ann.get(project + "/agents/poet").status());
        assertEquals("unknown_agent", say(project, "poet", "hello?").code());
        assertEquals(
                List.of("poet"),
                ann.list(project + "/agents?includeInactive=true").stream()
                        .filter(agent -> !agent.path("active").asBoolean())
                        .map(agent -> agent.path("name").asText())
                        .toList());
        assertEquals("\"4\"", define(project, "poet").etag(), "the same row again");
        assertEquals(
                List.of("create", "delete", "change", "create"),
                ann.list("/v1/audit?source=agent&project=" + project.substring("/v1/projects/".length())).stream()
                        .map(entry -> entry.path("action").asText())
                        .toList());
    }

    /** Tools that the machine calls by itself or a workflow names are read by no model. */
    private static final Set<String> READ_BY_NO_MODEL = Set.of("command", "container", "files_revert", "memory_remind");

    @Test
    @Tag("B170")
    void eachToolIsDescribedToModelsInPlainSentences() throws IOException {
        // Given the tools of all services, and those of the machine as a model is shown them
        var faults = new ArrayList<String>();
        for (Tool tool : instance.beans().getBeansOfType(Tool.class)) {
            ToolSpec spec = tool.spec();
            if (!READ_BY_NO_MODEL.contains(spec.name())) {
                faults.addAll(ToolTexts.faults(spec.name(), spec.description(), Api.json(spec.parameters())));
            }
        }
        String project = project();
        define(project, "helper", "description", "Helps.");
        define(project, "boss", "model", "openai/gpt-5", "tools", List.of("message", "todo_write", "todo_read"));
        openai.answers(says(YES));
        say(project, "boss", "hello");
        for (JsonNode tool : request(0).path("tools")) {
            faults.addAll(ToolTexts.faults(
                    tool.path("name").asText(), tool.path("description").asText(), tool.path("parameters")));
        }

        // Then
        assertTrue(request(0).path("tools").size() > 2, request(0).toString());
        assertEquals(List.of(), faults);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** Tools of the session machine have no definition: it runs them itself, and they affect the session only. */
    private static boolean isReadOnly(String project, String tool) {
        UUID id = UUID.fromString(ann.get(project).json().path("id").asText());
        return instance.beans()
                .getBean(KafkaDefinitions.class)
                .in(AccessDirectory.DEFAULT_HOST, id)
                .tool(tool)
                .or(() -> checkoutTool(tool))
                .map(spec -> spec.access() == ToolAccess.READ)
                .orElse(tool.equals("todo_read"));
    }

    /** Tools of projects with a checkout, which this project does not have. */
    private static Optional<ToolSpec> checkoutTool(String tool) {
        var config = new ToolsConfig(null, null, Map.of(), List.of(folder.toAbsolutePath()));
        var powers = new PowerGrants(Map.of(Power.of(Kind.CHECKOUT_SHELL), Grant.UNNAMED), true);
        return CheckoutTools.all(new Checkouts(config, powers, AccessDirectory.NOTHING)).stream()
                .map(Tool::spec)
                .filter(spec -> spec.name().equals(tool))
                .findFirst();
    }

    @Test
    @Tag("I80")
    @Tag("I86")
    void builtInAgentsAreInEveryProjectAndCannotBeChanged() {
        // Given
        String project = project();

        // Then
        assertEquals(
                List.of("default builtin", "explore builtin", "plan builtin"),
                names(ann, project + "/agents?builtinOnly=true"));
        assertEquals(
                "COMPLETED",
                say(project, "plan", "what now?").json().path("state").asText());
        for (String reader : List.of("explore", "plan")) {
            List<String> tools =
                    texts(ann.get(project + "/agents/" + reader).json().path("tools"));
            assertTrue(
                    tools.containsAll(List.of("file_read", "file_grep", "web_fetch", "session_search")),
                    tools::toString);
            for (String tool : tools) {
                assertTrue(tool.equals("todo_write") || isReadOnly(project, tool), tool + " of " + reader);
            }
        }
        String found = say(project, "explore", "!call session_search {\"query\":\"moon\"}\n!then\n!say looked")
                .json()
                .path("reply")
                .asText();
        assertEquals("looked", found);
        String refused = say(project, "explore", "!call file_write {\"path\":\"a\",\"content\":\"b\"}")
                .json()
                .path("reply")
                .asText();
        assertTrue(refused.contains("there is no tool 'file_write'"), refused);
        for (String name : List.of("explore", "house")) {
            var definition = agent(name);
            Answer response = ann.send("PUT", project + "/agents/" + name, definition, ANY);
            assertEquals(403, response.status(), response.text());
            assertEquals("builtin_agent", response.code());
            assertEquals(
                    "builtin_agent", ann.delete(project + "/agents/" + name).code());
            assertEquals(
                    "builtin_agent",
                    admin.send("PUT", "/v1/agents/" + name, definition, ANY).code());
        }
        assertFalse(ann.get(project + "/agents/house").text().contains("HOUSE_KEY"), "that is the operator's business");

        // When a project defines an agent of the same name
        define(project, "explore", "prompt", "Explore the moon.");

        // Then it overrides the built-in agent, in that project only
        assertEquals(
                "Explore the moon.",
                ann.get(project + "/agents/explore").json().path("prompt").asText());
        assertEquals(List.of("default builtin", "plan builtin"), names(ann, project + "/agents?builtinOnly=true"));
        assertTrue(names(ann, project() + "/agents").contains("explore builtin"));
    }

    @Test
    void projectAgentsOverrideHostAgents() throws IOException {
        // Given
        String project = project();
        String other = project();
        openai.answers(says(YES), says(YES), says(YES));
        say(other, "quiet", "hello");
        assertEquals("I am the installation's.", request(0).path("instructions").asText());
        var hosts = agent("quiet", "model", "openai/gpt-5", "prompt", "I am the host's.");
        assertEquals(403, ann.post("/v1/agents", hosts).status());
        assertEquals(403, ann.get("/v1/agents").status());
        assertEquals(201, admin.post("/v1/agents", hosts).status());
        define(project, "quiet", "model", "openai/gpt-5", "prompt", "I am the project's.");

        // When
        say(project, "quiet", "hello");
        say(other, "quiet", "hello");

        // Then
        assertEquals("I am the project's.", request(1).path("instructions").asText());
        assertEquals("I am the host's.", request(0).path("instructions").asText());
        assertTrue(names(ann, project + "/agents").contains("quiet project"));
        assertTrue(names(ann, other + "/agents").contains("quiet host"));
        assertEquals("inherited_agent", ann.delete(other + "/agents/quiet").code());

        // When the project's is deleted
        ann.delete(project + "/agents/quiet");

        // Then
        assertEquals(
                "host", ann.get(project + "/agents/quiet").json().path("source").asText());
        admin.delete("/v1/agents/quiet");
        assertEquals(
                "I am the installation's.",
                ann.get(project + "/agents/quiet").json().path("prompt").asText());
    }

    @Test
    @Tag("I49")
    void nearestSettingSelectsTheModel() throws IOException {
        // Given
        String project = project();
        define(project, "own", "model", "scripted/agent", "options", Map.of("models", "scripted/session"));
        assertEquals(
                200,
                admin.send("PUT", "/v1/settings/defaultModel", "\"scripted/host\"", Map.of())
                        .status());

        // Then
        assertEquals(
                "scripted/host",
                say(project, "explore", "hello").json().path("model").asText());
        Answer set = ann.send(
                "PUT",
                project + "/settings",
                Map.of("defaultModel", "scripted/project"),
                Map.of("If-Match", ann.get(project).etag()));
        assertEquals(200, set.status(), set.text());
        assertEquals(
                "scripted/project",
                say(project, "explore", "hello").json().path("model").asText());
        assertEquals(
                "scripted/agent",
                say(project, "own", "hello").json().path("model").asText());
        Answer chosen = ann.turn(
                project + "/sessions/web:own",
                Map.of("agent", "own", "text", "hello", "settings", Map.of("model", "scripted/session")));
        assertEquals("scripted/session", chosen.json().path("model").asText(), chosen.text());
        Answer wrong = ann.send(
                "PUT",
                project + "/settings",
                Map.of("defaultModel", 5),
                Map.of("If-Match", ann.get(project).etag()));
        assertEquals(400, wrong.status());
        admin.delete("/v1/settings/defaultModel");
    }

    @Test
    void hostModelDoesNotReplaceThatOfAProjectsDefaultAgent() throws IOException {
        // Given
        String project = project();
        define(project, "default", "model", "openai/gpt-5", "prompt", "Mine.");
        openai.answers(says(YES));
        assertEquals(
                200,
                admin.send("PUT", "/v1/settings/defaultModel", "\"scripted/other\"", Map.of())
                        .status());

        // When
        JsonNode turn = say(project, "default", "hello").json();
        JsonNode builtIn = say(project, "explore", "hello").json();

        // Then
        assertEquals("openai/gpt-5", turn.path("model").asText());
        assertEquals("scripted/other", builtIn.path("model").asText());
        admin.delete("/v1/settings/defaultModel");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"name":"x"}                                                         | missing_field | 'model'
            {"model":"scripted/x"}                                               | missing_field | 'name'
            {"name":"a b","model":"scripted/x"}                                  | invalid_field | 'name'
            {"name":"x","model":"gpt"}                                           | invalid_field | 'model' must be provider/model
            {"name":"x","model":"nobody/gpt"}                                    | invalid_field | 'model' needs the provider 'nobody'; there are scripted
            {"name":"x","model":"scripted/x","mode":"boss"}                      | invalid_field | 'mode' must be one of primary, subagent, all
            {"name":"x","model":"scripted/x","temperature":3}                    | invalid_field | 'temperature' must be from 0 to 2
            {"name":"x","model":"scripted/x","topP":-1}                          | invalid_field | 'topP'
            {"name":"x","model":"scripted/x","maxTokens":0}                      | invalid_field | 'maxTokens'
            {"name":"x","model":"scripted/x","thinking":"deep"}                  | invalid_field | 'thinking' must be one of
            {"name":"x","model":"scripted/x","limits":{"maxSteps":0}}            | invalid_field | 'limits.maxSteps'
            {"name":"x","model":"scripted/x","limits":{"turnTimeout":"1y"}}      | invalid_field | 'limits.turnTimeout' must be a duration such as
            {"name":"x","model":"scripted/x","limits":{"turnTimeout":"9999999999999999999h"}} | invalid_field | 'limits.turnTimeout'
            {"name":"x","model":"scripted/x","limits":{"keep":50}}               | invalid_field | 'limits.compactAt' must be above limits.keep
            {"name":"x","model":"scripted/x","options":{"fallback":"nobody/x"}}  | invalid_field | 'options' offers 'nobody/x'
            {"name":"x","model":"scripted/x","options":{"odd":"x"}}              | invalid_field | an unknown option 'odd'
            {"name":"x","model":"scripted/x","tools":["a b"]}                    | invalid_field | 'tools[0]' must be the name of a tool
            {"name":"x","model":"scripted/x","apiKey":"sk-123"}                  | invalid_field | 'apiKey' must be cred:ID
            {"name":"x","model":"scripted/x","apiKey":"file:/etc/passwd"}        | invalid_field | 'apiKey' must be cred:ID
            {"name":"x","model":"scripted/x","promt":"y"}                        | ``            | promt
            {"name":"x","model":"scripted/x","limits":{"maxStep":1}}             | ``            | maxStep
            """)
    void rejectsAnInvalidDefinitionAndNamesTheField(String body, String code, String problem) {
        Answer refused = ann.post("/v1/projects/default/agents?dryRun=true", body);
        Answer inHost = admin.post("/v1/agents?dryRun=true", body);
        assertEquals(403, refused.status(), "Ann is a member there");
        assertEquals(400, inHost.status(), inHost.text());
        assertTrue(inHost.text().contains(problem), inHost.text());
        assertTrue(code.isEmpty() || inHost.code().equals(code), inHost.text());
        assertFalse(inHost.text().contains("sk-123"), inHost.text());
    }

    @Test
    void rejectsCredentialsThatTheCallerMayNotUse() {
        // Given
        String project = project();
        String annCredential = credential(ann, "", "openai");
        String hostCredential = credential(admin, "?owner=host", "openai");
        String bossCredential = credential(admin, "", "openai");

        // Then
        assertEquals(
                201,
                createWithKey(ann, project, "a", "openai/gpt-5", "cred:" + annCredential)
                        .status());
        assertEquals(
                400,
                createWithKey(ann, project, "b", "local/x", "cred:" + annCredential)
                        .status(),
                "it is openai's");
        assertEquals(
                400,
                createWithKey(ann, project, "b", "openai/gpt-5", "cred:" + hostCredential)
                        .status());
        assertEquals(
                400,
                createWithKey(ann, project, "b", "openai/gpt-5", "cred:" + bossCredential)
                        .status());
        assertEquals(
                400,
                createWithKey(ann, project, "b", "local/x", "env:LOCAL_KEY").status());
        assertEquals(
                400,
                createWithKey(admin, project, "b", "openai/x", "env:LOCAL_KEY").status(),
                "no key goes to another provider");
        assertEquals(
                400,
                createWithKey(admin, project, "b", "local/x", "env:PARLEY_MASTER_KEY")
                        .status());
        assertEquals(
                400,
                createWithKey(admin, project, "b", "openai/x", "file:" + folder.resolve("key"))
                        .status());
        assertEquals(
                201,
                createWithKey(admin, project, "b", "openai/gpt-5", "cred:" + hostCredential)
                        .status());
        assertEquals(
                201,
                createWithKey(admin, project, "c", "local/x", "env:LOCAL_KEY").status());

        // When Ann changes an agent defined by an administrator, she can keep its key, but not move it to another
        // provider
        var sameProvider = agent("c", "model", "local/y", "apiKey", "env:LOCAL_KEY");
        var otherProvider = agent("c", "model", "openai/y", "apiKey", "env:LOCAL_KEY");
        assertEquals(
                200, ann.send("PUT", project + "/agents/c", sameProvider, ANY).status());
        assertEquals(
                400, ann.send("PUT", project + "/agents/c", otherProvider, ANY).status());
    }

    private static String credential(Api api, String owner, String provider) {
        Answer created = api.create(
                "/v1/credentials" + owner,
                Map.of("provider", provider, "apiKey", "sk-sentinel-of-somebody-0002", "isDefault", false));
        return created.json().path("id").asText();
    }

    private static Answer createWithKey(Api api, String project, String name, String model, String reference) {
        return api.post(project + "/agents", agent(name, "model", model, "apiKey", reference));
    }

    @Test
    void pagesAgentListsAndHidesThemFromNonMembers() {
        // Given
        String project = project();
        for (int i = 1; i <= 5; i++) {
            define(project, "a." + i);
        }

        // When
        var names = new ArrayList<String>();
        String cursor = "";
        do {
            Answer page = ann.get(project + "/agents?limit=2" + cursor);
            Api.rows(page).forEach(agent -> names.add(agent.path("name").asText()));
            JsonNode next = page.json().path("next");
            cursor = next.isNull() ? null : "&cursor=" + next.asText();
        } while (cursor != null);

        // Then
        assertEquals(List.of("a.1", "a.2", "a.3", "a.4", "a.5", "default", "explore", "house", "plan"), names);
        Api stranger = admin.signUp("stranger" + projects);
        assertEquals(404, stranger.get(project + "/agents").status());
        assertEquals(200, ann.get(project + "/agents/a.1").status());
        assertEquals(404, stranger.get(project + "/agents/a.1").status());
        assertEquals(404, stranger.post(project + "/agents", agent("mine")).status());
    }

    @Test
    void erasingAProjectErasesItsAgents() {
        // Given
        String project = project();
        define(project, "poet", "prompt", "A verse about kumquats.");
        assertEquals(1, rowsAbout("kumquats"));

        // When
        assertEquals(202, ann.send("POST", project + "/erase", null, Map.of()).status());

        // Then
        assertEquals(0, rowsAbout("kumquats"));
    }

    private static int rowsAbout(String word) {
        String sql =
                "SELECT count(*) FROM control.agent_definition_t a WHERE strpos(a::text, '%s') > 0".formatted(word);
        try (Connection connection = instance.beans().getBean(Database.class).reading(Tenant.ALL);
                ResultSet row = connection.createStatement().executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    // ---- modes

    @Test
    @Tag("I81")
    void rejectsTasksForPrimaryAgentsAndTurnsForSubagents() {
        // Given
        String project = project();
        define(project, "boss", "mode", "primary");
        define(project, "clerk", "mode", "subagent");
        define(project, "both", "mode", "all");

        // Then
        Answer refused = say(project, "clerk", "hello");
        assertEquals(400, refused.status(), refused.text());
        assertEquals("agent_not_primary", refused.code());
        assertEquals(
                "COMPLETED", say(project, "both", "hello").json().path("state").asText());
        for (String able : List.of("clerk", "both")) {
            String reply = say(project, "boss", "!delegate " + able + " !say Done by " + able)
                    .json()
                    .path("reply")
                    .asText();
            assertTrue(reply.contains("Done by " + able), reply);
        }

        // When
        JsonNode turn = say(project, "both", "!delegate boss do it").json();

        // Then the tool reports the reason
        assertEquals("COMPLETED", turn.path("state").asText());
        Awaitility.await()
                .until(() -> ann.get(project + "/sessions/web:1/messages?limit=200")
                        .text()
                        .contains("there is no agent 'boss' to delegate to"));
    }

    @Test
    @Tag("I82")
    void hiddenAgentIsNotListedButAnswersByName() {
        // Given
        String project = project();
        define(project, "ghost", "hidden", true);

        // Then
        assertFalse(names(ann, project + "/agents").contains("ghost project"));
        assertFalse(names(ann, project + "/agents").contains("quiet config"));
        assertTrue(names(ann, project + "/agents?includeHidden=true")
                .containsAll(List.of("ghost project", "quiet config")));
        assertEquals(200, ann.get(project + "/agents/ghost").status());
        assertEquals(
                "COMPLETED", say(project, "ghost", "hello").json().path("state").asText());
    }

    // ---- delegation

    private static HttpDouble.Reply says(List<String> items) {
        return HttpDouble.events(
                "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\",\"model\":\"gpt-5\",\"output\":["
                        + String.join(",", items) + "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
    }

    private static String delegate(String call, String agent, String task, boolean fresh) {
        String arguments = "{\"agent\":\"%s\",\"task\":\"%s\",\"fresh\":%s}".formatted(agent, task, fresh);
        return Responses.call(call, "delegate", arguments);
    }

    private static HttpDouble.Reply delegates(String agent) {
        return says(List.of(delegate("to_" + agent, agent, "go on", false)));
    }

    /** The tool results in a model request, in order. */
    private static List<String> toolResults(JsonNode request) {
        return request.path("input")
                .valueStream()
                .filter(item -> item.path("type").asText().equals("function_call_output"))
                .map(item -> item.path("call_id").asText() + ": "
                        + item.path("output").asText())
                .toList();
    }

    /** The keys of the child sessions of a session, once there are so many. */
    private static List<String> childSessions(String project, String session, int count) {
        String parent = Awaitility.await()
                .until(
                        () -> ann.get(project + "/sessions/" + session)
                                .json()
                                .path("id")
                                .asText(),
                        id -> !id.isEmpty());
        return Awaitility.await()
                .until(() -> ann.list(project + "/sessions?parentId=" + parent), found -> found.size() >= count)
                .stream()
                .map(child -> child.path("key").asText())
                .sorted()
                .toList();
    }

    @Test
    @Tag("P31")
    void delegatesRunInParallelAndReturnInCallOrder() throws IOException {
        // Given an agent whose model does not answer before the other agent is done
        String project = project();
        define(project, "boss", "model", "openai/gpt-5");
        define(project, "slow", "model", "openai/gpt-5");
        define(project, "quick");
        openai.answers(
                says(List.of(
                        delegate("call_1", "slow", "think", false), delegate("call_2", "quick", "!say two", false))),
                HttpDouble.stream(stream -> {
                    Awaitility.await()
                            .until(() -> ann.get(project + "/sessions/web:1:delegate:quick/turns")
                                    .text()
                                    .contains("COMPLETED"));
                    for (String event : Responses.events(YES)) {
                        stream.event(event);
                    }
                }),
                says(YES));

        // When
        JsonNode turn = say(project, "boss", "ask both").json();

        // Then
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        assertEquals(List.of("call_1: Yes.", "call_2: two"), toolResults(request(0)));
    }

    @Test
    @Tag("P32")
    void tasksOfOneAgentRunInSequenceUnlessInFreshSessions() throws IOException {
        // Given
        String project = project();
        define(project, "boss", "model", "openai/gpt-5");
        define(project, "clerk");
        openai.answers(
                says(List.of(
                        delegate("call_1", "clerk", "!stream 6 words over 600ms", false),
                        delegate("call_2", "clerk", "!say second", false))),
                says(YES),
                says(List.of(
                        delegate("call_3", "clerk", "!stream 6 words over 600ms", true),
                        delegate("call_4", "clerk", "!say fourth", true))),
                says(YES));

        // When
        say(project, "boss", "ask twice");
        List<String> first = toolResults(request(0));
        say(project, "boss", "ask two of them");

        // Then
        assertEquals("call_2: second", first.getLast());
        List<JsonNode> messages = Awaitility.await()
                .until(
                        () -> ann.list(project + "/sessions/web:1:delegate:clerk/messages?order=asc"),
                        found -> found.size() == 4 && found.getLast().hasNonNull("completedAt"));
        assertEquals(
                List.of("user", "assistant", "user", "assistant"),
                messages.stream().map(message -> message.path("role").asText()).toList());
        assertEquals(
                first.getFirst(),
                "call_1: " + messages.get(1).findValuesAsText("text").getLast());
        assertFalse(
                Instant.parse(messages.get(3).path("createdAt").asText())
                        .isBefore(Instant.parse(
                                messages.get(1).path("completedAt").asText())),
                messages.toString());
        assertEquals("call_4: fourth", toolResults(request(0)).getLast());
        assertEquals(
                List.of("web:1:delegate:clerk", "web:1:delegate:clerk~1", "web:1:delegate:clerk~2"),
                childSessions(project, "web:1", 3));
    }

    @Test
    @Tag("P33")
    void rejectsDelegationBeyondThreeLevelsAndInCycles() throws IOException {
        // Given models that all delegate
        String project = project();
        for (String name : List.of("boss", "one", "two", "three", "four")) {
            define(project, name, "model", "openai/gpt-5");
        }
        int before = openai.seen().size();
        openai.answers(delegates("one"), delegates("two"), delegates("three"), delegates("four"));
        openai.answers(says(YES), says(YES), says(YES), says(YES));

        // When
        JsonNode turn = say(project, "boss", "go down").json();

        // Then
        assertEquals("Yes.", turn.path("reply").asText(), turn.toString());
        assertEquals(before + 8, openai.seen().size(), "no fourth model below was asked");
        String refused = toolResults(request(3)).getFirst();
        assertTrue(refused.startsWith("to_four: error: ") && refused.contains("at most 3 levels"), refused);
        assertEquals(List.of("to_three: Yes."), toolResults(request(2)));
        assertEquals(List.of("to_one: Yes."), toolResults(request(0)));
        String deepest = "web:1:delegate:one:delegate:two:delegate:three";
        assertEquals(List.of(deepest), childSessions(project, "web:1:delegate:one:delegate:two", 1));
        assertEquals(List.of(), childSessions(project, deepest, 0));

        // When
        openai.answers(delegates("one"), delegates("boss"), says(YES), says(YES));
        JsonNode round = say(project, "boss", "go round").json();

        // Then
        assertEquals("Yes.", round.path("reply").asText(), round.toString());
        String circle = toolResults(request(1)).getLast();
        assertTrue(circle.contains("the agent 'boss' is already at work above you"), circle);
    }

    // ---- requests to the provider

    @Test
    @Tag("I83")
    @Tag("I84")
    @Tag("A2")
    void sendsOnlyTheConfiguredParametersToTheProvider() throws IOException {
        // Given
        String project = project();
        define(
                project,
                "full",
                "model",
                "openai/gpt-4.1",
                "prompt",
                "You are the sphinx.",
                "color",
                "ochre",
                "temperature",
                0.3,
                "topP",
                0.5,
                "maxTokens",
                77,
                "limits",
                Map.of("maxSteps", 2),
                "options",
                Map.of("serviceTier", "flex"));
        define(project, "plain", "model", "openai/gpt-4.1");
        openai.answers(says(ECHO), says(YES), says(YES));

        // When
        JsonNode turn = say(project, "full", "hello").json();
        say(project, "plain", "hello");

        // Then
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        JsonNode first = request(2);
        assertEquals("You are the sphinx.", first.path("instructions").asText());
        assertEquals(0.3, first.path("temperature").asDouble());
        assertEquals(0.5, first.path("top_p").asDouble());
        assertEquals(77, first.path("max_output_tokens").asInt());
        assertEquals("flex", first.path("service_tier").asText());
        assertFalse(first.path("tools").isEmpty());
        assertTrue(
                request(1).path("tools").isEmpty()
                        || request(1).path("tool_choice").asText().equals("none"),
                "the last step: " + request(1));
        assertEquals(
                "ochre", ann.get(project + "/agents/full").json().path("color").asText());
        JsonNode plain = request(0);
        for (String unset : List.of("temperature", "top_p", "max_output_tokens", "service_tier")) {
            assertTrue(plain.path(unset).isMissingNode(), unset + " in " + plain);
        }
    }

    @Test
    @Tag("A4")
    void turnKeepsTheAgentVersionOfItsStart() throws IOException {
        // Given
        String project = project();
        define(project, "fickle", "model", "openai/gpt-5", "prompt", "First version.");
        var second = agent("fickle", "model", "openai/gpt-5", "prompt", "Second version.");
        openai.answers(
                HttpDouble.stream(stream -> {
                    // during the first step
                    assertEquals(
                            200,
                            ann.send("PUT", project + "/agents/fickle", second, ANY)
                                    .status());
                    for (String event : Responses.events(ECHO)) {
                        stream.event(event);
                    }
                }),
                says(YES),
                says(YES));

        // When
        JsonNode turn = say(project, "fickle", "use the tool").json();
        say(project, "fickle", "and again");

        // Then
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        assertEquals("First version.", request(2).path("instructions").asText());
        assertEquals("First version.", request(1).path("instructions").asText());
        assertEquals("Second version.", request(0).path("instructions").asText());
    }

    // ---- files

    private static CommandRun apply(Path files, Api api, String... options) {
        var arguments = new ArrayList<>(List.of("apply", files.toString(), "--url", api.url(), "--key", api.key()));
        arguments.addAll(List.of(options));
        return CommandRun.of(
                Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()), arguments.toArray(String[]::new));
    }

    @Test
    @Tag("A22")
    void applyCreatesEndpointsBeforeTheirTools() throws IOException {
        // Given
        Path files = folder.resolve("house");
        Files.writeString(Files.createDirectories(files.resolve("endpoints")).resolve("crm.yaml"), """
                url: https://crm.example/v1
                allow: { roles: [owner], users: [ann] }
                """);
        Files.writeString(Files.createDirectories(files.resolve("tools")).resolve("customer.yaml"), """
                description: Shows a customer
                type: rest
                parameters:
                  - { name: id, type: string, required: true }
                implementation: { endpoint: crm, path: "/customers/{id}" }
                """);

        // When
        CommandRun first = apply(files, admin, "--yes");
        CommandRun second = apply(files, admin, "--yes");
        CommandRun elsewhere = apply(files, admin, "--project", "default", "--yes");

        // Then
        assertEquals("+ endpoint crm\n+ tool customer\nDone.\n", first.out(), first.err());
        assertEquals("= endpoint crm\n= tool customer\nNothing to do.\n", second.out(), second.err());
        assertTrue(elsewhere.err().contains("without --project"), elsewhere.err());
        assertEquals(204, admin.delete("/v1/tools/customer?version=1.0.0").status());
        assertEquals(204, admin.delete("/v1/endpoints/crm").status());
    }

    @Test
    @Tag("W5")
    void applyPublishesWorkflowsByVersion() throws IOException {
        // Given
        String key = project().substring("/v1/projects/".length());
        Path files = folder.resolve("flows");
        Path file = Files.createDirectories(files.resolve("workflows")).resolve("one.yaml");
        String text = """
                # as it is
                document: { dsl: '1.0.3', namespace: team, name: one, version: '1.0.0' }
                do: [ { end: { set: { n: 1 } } } ]
                """;
        Files.writeString(file, text);

        // When
        CommandRun first = apply(files, ann, "--project", key, "--yes");
        CommandRun second = apply(files, ann, "--project", key, "--yes");
        Files.writeString(file, text.replace("n: 1", "n: 2"));
        CommandRun changed = apply(files, ann, "--project", key, "--yes");
        Files.writeString(file, text.replace("n: 1", "n: 2").replace("1.0.0", "1.1.0"));
        CommandRun newer = apply(files, ann, "--project", key, "--prune", "--yes");
        Files.writeString(file, text.replace("set:", "sett:"));
        CommandRun broken = apply(files, ann, "--project", key, "--yes");

        // Then
        assertEquals("+ workflow team:one:1.0.0\nDone.\n", first.out(), first.err());
        assertEquals("= workflow team:one:1.0.0\nNothing to do.\n", second.out(), second.err());
        assertEquals(1, changed.status());
        assertTrue(changed.err().contains("another version"), changed.err());
        assertEquals("- workflow team:one:1.0.0\n+ workflow team:one:1.1.0\nDone.\n", newer.out(), newer.err());
        assertTrue(broken.err().contains("one.yaml") && broken.err().contains("sett"), broken.err());
    }

    @Test
    @Tag("A7")
    void applyCreatesChangesAndPrunesSkillsAndTools() throws IOException {
        // Given
        String project = project();
        String key = project.substring("/v1/projects/".length());
        Path files = folder.resolve("team");
        Path skill = Files.createDirectories(files.resolve("skills/plan-trips")).resolve("SKILL.md");
        Files.writeString(skill, """
                ---
                name: plan-trips
                description: How to plan a trip
                license: Apache-2.0
                allowed-tools: weather echo
                metadata:
                  author: ann
                  version: "1.1"
                needs:
                  - { skill: calendar, required: false }
                ---
                # Trips

                Look at the weather first.
                """);
        Path tool = Files.createDirectories(files.resolve("tools")).resolve("weather.yaml");
        Files.writeString(tool, """
                description: Says what the weather is like
                type: rest
                parameters:
                  - { name: town, type: string, required: true }
                implementation: { url: "https://weather.example/{town}" }
                """);

        // When
        CommandRun first = apply(files, ann, "--project", key, "--yes");
        CommandRun second = apply(files, ann, "--project", key, "--yes");

        // Then
        assertEquals("+ tool weather\n+ skill plan-trips\nDone.\n", first.out(), first.err());
        assertEquals("= tool weather\n= skill plan-trips\nNothing to do.\n", second.out(), second.err());
        JsonNode stored = ann.get(project + "/skills/plan-trips").json();
        assertEquals("# Trips\n\nLook at the weather first.", stored.get("text").asText());
        assertEquals("1.1", stored.get("version").asText());
        assertEquals("echo", stored.get("tools").get(1).get("tool").asText());
        assertEquals("calendar", stored.get("needs").get(0).get("skill").asText());

        // When
        Files.writeString(skill, Files.readString(skill).replace("1.1", "1.2").replace("first", "twice"));
        Files.writeString(tool, Files.readString(tool).replace("like", "like now"));
        CommandRun changed = apply(files, ann, "--project", key, "--yes");

        // Then
        assertEquals("""
                ~ tool weather
                    description: "Says what the weather is like" → "Says what the weather is like now"
                + skill plan-trips
                Done.
                """, changed.out(), changed.err());
        assertEquals(2, ann.get(project + "/skills/plan-trips/versions").json().size());

        // When
        Files.writeString(tool, Files.readString(tool).replace("rest", "nothing"));
        CommandRun wrong = apply(files, ann, "--project", key, "--yes");
        assertEquals(1, wrong.status());
        assertTrue(wrong.err().contains("weather.yaml:2: The field 'type'"), wrong.err());

        // When
        Files.delete(tool);
        Files.delete(skill);
        assertEquals(
                "- tool weather\n- skill plan-trips\nDone.\n",
                apply(files, ann, "--project", key, "--yes", "--prune").out());
        assertEquals(404, ann.get(project + "/skills/plan-trips").status());
    }

    @Test
    void applyingAFolderTwiceChangesNothing() throws IOException {
        // Given
        String project = project();
        String key = project.substring("/v1/projects/".length());
        define(project, "old", "hidden", true);
        define(project, "guide", "prompt", "Guide.");
        Path agents = Files.createDirectories(folder.resolve("applied/agents"));
        Path guide = agents.resolve("guide.yaml");
        Files.writeString(guide, "model: scripted/small\nprompt: Guide well.\nlimits: { maxSteps: 5 }\n");
        Files.writeString(agents.resolve("poet.yml"), "name: rhymer\nmodel: scripted/small\noptions: { stop: x }\n");
        Path files = agents.getParent();

        // When one file is invalid, nothing is changed
        Path wrong = agents.resolve("wrong.yaml");
        Files.writeString(wrong, "# a comment\nmodel: scripted/x\nlimits:\n  maxSteps: 0\n");
        CommandRun refused = apply(files, ann, "--project", key, "--yes");
        assertEquals(1, refused.status());
        assertTrue(refused.err().startsWith(wrong + ":4: The field 'limits.maxSteps'"), refused.err());
        Files.writeString(wrong, "model: scripted/x\npromt: hello\n");
        refused = apply(files, ann, "--project", key, "--yes");
        assertTrue(refused.err().startsWith(wrong + ":2: "), refused.err());
        assertEquals(404, ann.get(project + "/agents/rhymer").status());
        Files.delete(wrong);

        // When the changes are shown and declined
        InputStream stdin = System.in;
        System.setIn(new ByteArrayInputStream("n\n".getBytes(StandardCharsets.UTF_8)));
        try {
            CommandRun preview = apply(files, ann, "--project", key);
            assertEquals(1, preview.status());
            assertTrue(preview.out().endsWith("+ rhymer\nApply this? [y/N] Nothing was changed.\n"), preview.out());
            assertEquals(404, ann.get(project + "/agents/rhymer").status());
        } finally {
            System.setIn(stdin);
        }

        // When
        CommandRun first = apply(files, ann, "--project", key, "--yes");
        CommandRun second = apply(files, ann, "--project", key, "--yes");

        // Then
        assertEquals(0, first.status(), first.err());
        assertEquals("""
                ~ guide
                    limits.maxSteps: 20 → 5
                    prompt: "Guide." → "Guide well."
                + rhymer
                Done.
                """, first.out());
        assertEquals(new CommandRun(0, "= guide\n= rhymer\nNothing to do.\n", ""), second);
        assertEquals("\"2\"", ann.get(project + "/agents/guide").etag());
        assertEquals(200, ann.get(project + "/agents/old").status());

        // When agents that no file defines are pruned
        CommandRun pruned = apply(files, ann, "--project", key, "--yes", "--prune");

        // Then
        assertEquals("= guide\n- old\n= rhymer\nDone.\n", pruned.out());
        assertEquals(404, ann.get(project + "/agents/old").status());
        assertEquals(1, apply(files, ann, "--yes").status(), "Ann does not lead the host");
        assertEquals("+ guide\n+ rhymer\nDone.\n", apply(files, admin, "--yes").out());
        assertEquals(
                0,
                apply(Files.createDirectories(folder.resolve("none/agents")).getParent(), admin, "--yes", "--prune")
                        .status());
        assertEquals(
                List.of(),
                admin.list("/v1/agents").stream()
                        .filter(agent -> agent.path("source").asText().equals("host"))
                        .toList());
    }
}
