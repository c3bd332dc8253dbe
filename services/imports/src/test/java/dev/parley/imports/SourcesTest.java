package dev.parley.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows in, requests out. Postgres sources are tested on SQLite files, as their statements mean the same there. */
class SourcesTest {
    private static final String HOST = "00000000-0000-4000-8000-000000000001";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final RecordedDestination to = new RecordedDestination();

    private Path database(String file, String... scripts) throws IOException, SQLException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                var statement = connection.createStatement()) {
            for (String script : scripts) {
                statement.executeUpdate(script.contains(" ") ? script : resource(script));
            }
        }
        return path;
    }

    private static String resource(String name) throws IOException {
        try (var script = SourcesTest.class.getResourceAsStream("/imports/" + name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    private static void assertReported(String report, String... parts) {
        for (String part : parts) {
            assertTrue(report.contains(part), () -> part + "\nis not in\n" + report);
        }
    }

    // ---- Pingu

    @Test
    void turnsOfPinguAreItemsOfTheResponsesApi() throws Exception {
        // When
        new PinguSource(database("pingu.db", "pingu.sql")).read(to);

        // Then
        var session = to.sessions.get("telegram:648079060");
        assertEquals("About cheese", session.title());
        assertEquals("openai-responses", session.format());
        assertEquals(json("""
                        [{'role':'user','content':'My name is Zoe. What is the moon made of?'},
                         {'object':'response','model':'gpt-5-2025-08-07','output':[
                           {'id':'rs_1','type':'reasoning','summary':[],'encrypted_content':'gAAAA=='},
                           {'id':'ws_1','type':'web_search_call','status':'completed','action':{'type':'search','query':'moon'}},
                           {'id':'msg_1','type':'message','status':'completed','role':'assistant',
                            'content':[{'type':'output_text','text':'Rock.','annotations':[]}]}]},
                         {'role':'user','content':'And cheese?'},
                         {'object':'response','model':'gpt-5','output':[
                           {'id':'rs_2','type':'reasoning','summary':[],'encrypted_content':'gBBBB=='},
                           {'type':'message','content':'No cheese.','role':'assistant'}]},
                         {'role':'user','content':'Sure?'}]"""), session.messages());
    }

    @Test
    void keepsPinguDelegatesBelowTheirSession() throws Exception {
        // When
        new PinguSource(database("pingu.db", "pingu.sql")).read(to);

        // Then
        assertEquals(
                Set.of("telegram:648079060", "telegram:648079060:delegate:sysinfo", "lost:delegated:sysinfo", "empty"),
                to.sessions.keySet());
        assertEquals(
                "sysinfo",
                to.sessions.get("telegram:648079060:delegate:sysinfo").agent());
        assertEquals(
                json("[{'id':'pingu:memory:1','text':'Zoe lives in Oslo.','tags':['pingu','pingu:core']}]")
                        .toString(),
                to.documents.get(new Destination.Bank("user", null, null)).toString());
        assertReported(
                to.told(),
                "turns: the answer is not the JSON of a response; what the person said is taken (1: telegram:648079060 turn 3)",
                "messages: rows of the table messages, which Pingu itself does not read (1)",
                "it has another key here (1: lost:delegate:sysinfo → lost:delegated:sysinfo)");
    }

    // ---- Iris

    @Test
    void partsOfIrisBecomeTextsCallsAndResults() throws Exception {
        // When
        new IrisSource(database("project.db", "iris-project.sql")).read(to);

        // Then
        assertEquals(json("""
                        [{'kind':'user','text':'What colour\\nis the sky?'},
                         {'kind':'reasoning','text':'hm'},
                         {'kind':'assistant','text':'I look.'},
                         {'kind':'tool_call','data':{'id':'call_1','name':'look','arguments':{'at':'sky'}}},
                         {'kind':'tool_call','data':{'id':'call_2','name':'look','arguments':{'at':'sea'}}},
                         {'kind':'tool_result','data':{'tool_call_id':'call_1','output':'blue','success':true}},
                         {'kind':'tool_result','data':{'tool_call_id':'call_2','output':{'why':'dark'},'success':false}},
                         {'kind':'assistant','text':'It is blue.'},
                         {'kind':'tool_call','data':{'id':'iris-todos','name':'todo_write','arguments':{'todos':[
                            {'content':'Look up','activeForm':'Looking up','status':'completed'},
                            {'content':'Write it down','activeForm':'Writing it down','status':'in_progress'}]}}},
                         {'kind':'tool_result','data':{'tool_call_id':'iris-todos','output':'2 todos'}}]"""), to.messages("iris:ses_1"));
        assertEquals(json("""
                        [{'kind':'user','text':'Look at the sky'},
                         {'kind':'tool_call','data':{'id':'call_3','name':'look','arguments':{'at':'sky'}}},
                         {'kind':'tool_result','data':{'tool_call_id':'call_3','output':'blue','success':true}}]"""), to.messages("iris:ses_1:delegate:explore"));
    }

    @Test
    void keepsTheParentsAndRulesOfIrisSessions() throws Exception {
        // When
        new IrisSource(database("project.db", "iris-project.sql")).read(to);

        // Then
        assertEquals(
                List.of("iris:ses_1", "iris:ses_1:delegate:explore", "iris:ses_1:delegate:explore~ses_3"),
                List.copyOf(to.sessions.keySet()));
        var session = to.sessions.get("iris:ses_1");
        assertEquals("guide", session.agent());
        assertEquals(
                "[{\"tool\":\"look\",\"action\":\"allow\"}]", session.rules().toString());
        assertFalse(session.archived());
        assertTrue(to.sessions.get("iris:ses_1:delegate:explore~ses_3").archived());
        assertEquals(
                List.of(
                        "project {\"tool\":\"web_fetch\",\"action\":\"allow\",\"pattern\":\"https://example.com/**\",\"agent\":\"guide\"}",
                        "project {\"tool\":\"web_fetch\",\"action\":\"ask\",\"pattern\":\"https://sky.example/**\"}"),
                to.rules);
        assertReported(
                to.told(),
                "sessions: it was deleted in Iris (1: ses_4)",
                "parts: its content is not valid JSON (1: ses_1 msg_2)",
                "rules: its action is none of allow, deny and ask (1: r3)",
                "snapshots: Parley has no equivalent (1)");
    }

    @Test
    void convertsIrisDefinitionsToApiRequests() throws Exception {
        // When
        new IrisSource(database("project.db", "iris-project.sql")).read(to);

        // Then
        assertEquals(Set.of("tools look", "tools double_it", "agents guide"), to.definitions.keySet());
        assertEquals(json("""
                        {'name':'look','type':'http','description':'Looks somewhere','enabled':true,
                         'parametersSchema':{'type':'object','properties':{'at':{'type':'string'}},'required':['at']},
                         'implementation':{'url':'https://look.example/v1/{at}','method':'GET'}}"""), to.definitions.get("tools look"));
        assertFalse(to.definitions.get("tools double_it").path("enabled").asBoolean(true));
        assertEquals(json("""
                        {'name':'guide','hidden':false,'description':'Shows the sky','mode':'primary','prompt':'You are a guide.',
                         'temperature':0.5,'topP':null,'limits':{'maxSteps':7}}"""), JSON.readTree(to.definitions.get("agents guide").toString()));
        assertEquals("{notes/sky.md=# Sky}", to.files.toString());
        assertReported(
                to.told(),
                "tools: its MCP server is no web address",
                "agents: it is one that Iris brings along (1: plan)",
                "files: its content is not in the database");
    }

    @Test
    void omitsSecretsOfIris() throws Exception {
        // Given
        database("iris.db", "iris-root.sql");
        database("projects/p1/project.db", "iris-project.sql");

        // When
        new IrisSource(folder).read(to);

        // Then
        assertEquals(
                "[{\"name\":\"Sky\",\"externalKey\":\"iris:p1\",\"gitRemote\":\"https://example.com/sky.git\",\"type\":\"git\"}, "
                        + "{\"name\":\"Nothing\",\"externalKey\":\"iris:p2\",\"type\":\"remote\"}]",
                to.projects.toString());
        String output = to.told() + to.projects + to.sessions + to.definitions + to.rules;
        for (String secret : List.of("hash-of-ann", "hash-of-key", "sealed-key-of-ann", "secret-of-share")) {
            assertFalse(output.contains(secret), secret);
        }
        assertReported(
                to.told(),
                "people: they register anew; password hashes are not taken (1)",
                "keys: secrets are not taken: set anew with POST /v1/api-keys (1)",
                "credentials: secrets are not taken: set anew with POST /v1/credentials (1)",
                "projects: there is no project.db of it (1: p2)");
    }

    @Test
    void readsTodosFromTheTasksTableOfLaterIrisVersions() throws Exception {
        // Given
        Path file = database(
                "project.db",
                "iris-project.sql",
                "CREATE TABLE tasks (id TEXT PRIMARY KEY, session_id TEXT, title TEXT, active_form TEXT, status TEXT, position INTEGER)",
                "INSERT INTO tasks SELECT id, session_id, content, active_form, status, position FROM todos",
                "DROP TABLE todos",
                "DROP TABLE agents",
                "DROP TABLE permissions");

        // When
        new IrisSource(file).read(to);

        // Then
        assertEquals(
                "Write it down",
                to.messages("iris:ses_1")
                        .path(8)
                        .at("/data/arguments/todos/1/content")
                        .asText());
    }

    // ---- ikigai

    @Test
    void importsTheHistoryOfIkigaiAgents() throws Exception {
        // Given
        Path file = database("ikigai.db", "ikigai.sql");

        // When
        new IkigaiSource(() -> SourceDatabase.sqlite("ikigai", file)).read(to);

        // Then
        String before = """
                {'kind':'user','text':'List the files'},
                {'kind':'reasoning','data':{'provider':'anthropic','model':'claude-opus-4-6',
                  'item':{'type':'thinking','thinking':'hm','signature':'s'}}},
                {'kind':'tool_call','data':{'id':'call_1','name':'glob','arguments':'{\\"pattern\\":\\"*\\"}'}},
                {'kind':'tool_result','data':{'tool_call_id':'call_1','output':'a.txt','success':true}},
                {'kind':'assistant','text':'There is a.txt.'},""";
        assertEquals(json("[" + before + "{'kind':'user','text':'Thanks'}]"), to.messages("ikigai:root"));
        assertEquals(
                json("[" + before + "{'kind':'user','text':'Read it'},{'kind':'tool_call','data':{'name':'read'}}]"),
                to.messages("ikigai:child"));
        assertEquals(json("[{'kind':'user','text':'Before there were agents'}]"), to.messages("ikigai:session-1"));
        assertEquals("Zero", to.sessions.get("ikigai:root").title());
        assertTrue(to.sessions.get("ikigai:child").archived());
        assertReported(
                to.told(),
                "messages: its kind 'dance' is not known (1: child row 17)",
                "mail: Parley has no mail between agents (1)");
    }

    // ---- Light-Fabric

    private void lightFabric(@Nullable String host, @Nullable String user) throws Exception {
        Path file = database("light-fabric.db", "light-fabric.sql");
        new LightFabricSource(() -> SourceDatabase.sqlite("Light-Fabric", file), host, user).read(to);
    }

    @Test
    void importsLightFabricDefinitionsAfterTheirDependencies() throws Exception {
        // When
        lightFabric(HOST, null);

        // Then
        assertEquals(
                List.of(
                        "tools forecast",
                        "tools sum",
                        "skills travel",
                        "skills weather",
                        "skills plan-trips",
                        "agents travel-agent"),
                List.copyOf(to.definitions.keySet()));
        assertEquals(json("""
                        {'name':'forecast','version':'2.0.0','description':'The weather',
                         'implementation':{'url':'https://weather.example/v1/{town}','method':'GET'},'type':'rest',
                         'responseSchema':{'type':'object'},
                         'parameters':[{'name':'town','type':'string','required':true,'description':'Where'},
                           {'name':'days','type':'integer','required':false,'defaultValue':3,'validation':{'minimum':1}}]}"""), to.definitions.get("tools forecast"));
        assertEquals(json("""
                        {'name':'plan-trips','version':'1.2.0','description':'How to plan','text':'# Trips','parent':'travel',
                         'needs':[{'skill':'weather','required':true}],'tools':[{'tool':'forecast','access':'read'}]}"""), to.definitions.get("skills plan-trips"));
        assertEquals(
                json("""
                        {'name':'travel-agent','model':'openai/gpt-5','temperature':0.5,'maxTokens':500,
                         'skills':[{'name':'plan-trips','version':'1.2.0','priority':5,'config':{'currency':'EUR'}}]}"""),
                JSON.readTree(to.definitions.get("agents travel-agent").toString()));
    }

    @Test
    void importsLightFabricDocumentsAndStandaloneFacts() throws Exception {
        // When
        lightFabric(HOST, null);

        // Then
        var bank = to.documents.keySet().iterator().next();
        assertEquals("agent travel-agent", bank.scope() + " " + bank.agent());
        assertEquals(
                json("{'name':'Trips','skepticism':5,'literalism':3,'empathy':5,'background':'For travellers'}"),
                bank.profile());
        assertEquals(json("""
                        [{'id':'light-fabric:00000000-0000-4000-8000-0000000000d8','text':'Alice Chen moved to Oslo in May.','mentionedAt':'2026-05-04T10:00:00Z'},
                         {'id':'light-fabric:unit:00000000-0000-4000-8000-000000000012','sayings':[{'role':'user','text':'Bob likes trains'}],
                          'tags':['light-fabric:world'],'context':'talk','mentionedAt':'2026-05-05T11:30:00Z'},
                         {'id':'light-fabric:unit:00000000-0000-4000-8000-000000000013','sayings':[{'role':'assistant','text':'I booked a train'}],
                          'tags':['light-fabric:experience'],'mentionedAt':'2026-05-04T10:00:00Z'}]"""), JSON.valueToTree(to.documents.get(bank)));
        assertEquals(List.of("no-prices: Never name a price. 3"), to.directives);
        assertEquals(Set.of("light-fabric:00000000-0000-4000-8000-000000000031"), to.sessions.keySet());
        assertReported(
                to.told(),
                "workflows: definitions are not imported: publish them with ./parley workflow publish (1)",
                "credentials: secrets are not taken: set anew with POST /v1/credentials (1: travel agent)",
                "banks: it is a person's, with its sessions: import with --user, and their key",
                "units: observations and mental models",
                "tools: it names an MCP server without its address");
        assertFalse(to.told().contains("vault/openai"), to.told());
    }

    @Test
    void importsLightFabricSessionsOfTheNamedUser() throws Exception {
        lightFabric(HOST, "00000000-0000-4000-8000-0000000000aa");

        assertTrue(to.sessions.containsKey("light-fabric:00000000-0000-4000-8000-000000000032"));
    }

    @Test
    void rejectsLightFabricImportOfSeveralHosts() {
        assertReported(
                assertThrows(CommandException.class, () -> lightFabric(null, null))
                        .getMessage(),
                "There are several hosts in it: name one with --host: " + HOST);
    }

    // ---- invalid sources

    @Test
    void rejectsFilesThatAreNoDatabaseOfTheSystem() throws Exception {
        // Given
        Path text = Files.writeString(folder.resolve("notes.txt"), "hello ".repeat(1_000));
        Path iris = database("project.db", "iris-project.sql");
        Path old = database(
                "old.db",
                "CREATE TABLE sessions (id TEXT, title TEXT)",
                "CREATE TABLE turns (id INTEGER, session_id TEXT)");

        // Then
        assertReported(refused(new PinguSource(folder.resolve("no.db"))), "The file ");
        assertReported(refused(new PinguSource(text)), "cannot be read as a database of SQLite");
        assertReported(refused(new PinguSource(iris)), "has no table 'turns': it is not a database of Pingu");
        assertReported(refused(new PinguSource(old)), "The table 'turns' of ", " has no column 'user_message'");
        assertReported(
                refused(new IrisSource(folder)), "is neither a project.db of Iris nor a folder with an iris.db in it");
        assertReported(refused(new IkigaiSource(() -> SourceDatabase.sqlite("ikigai", iris))), "has no column 'kind'");
        assertReported(
                refused(new LightFabricSource(() -> SourceDatabase.sqlite("Light-Fabric", iris), null, null)),
                "has no table 'agent_definition_t'");
        assertReported(
                refused(new IkigaiSource(
                        () -> SourceDatabase.postgres("ikigai", "postgres://x:secret@y/z", null, null))),
                "is named as jdbc:postgresql://HOST:PORT/DATABASE");
    }

    private String refused(ImportSource source) {
        String message =
                assertThrows(CommandException.class, () -> source.read(to)).getMessage();
        assertFalse(message.contains("secret"), message);
        return message;
    }

    @Test
    void aSourceIsOnlyRead() throws Exception {
        Path file = database("pingu.db", "pingu.sql");
        byte[] before = Files.readAllBytes(file);

        new PinguSource(file).read(to);
        var database = SourceDatabase.sqlite("Pingu", file);
        var refused = assertThrows(SQLException.class, () -> database.each("DELETE FROM turns RETURNING id", _ -> {}));
        database.close();

        assertReported(String.valueOf(refused.getMessage()), "readonly");
        assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(file)));
    }

    // ---- bounds

    @Test
    void dropsTheOldestTurnsOfALongSession() {
        // Given
        var history = new History(1);
        for (int i = 0; i < 30; i++) {
            history.add(
                    3L * i, SourceJson.object().put("kind", "user").put("text", i + " " + "x".repeat(40_000)), true);
            history.add(3 * i + 1, SourceJson.object().put("kind", "assistant").put("text", "a"), false);
        }

        // When
        JsonNode messages = history.messages();

        // Then
        assertTrue(messages.toString().length() <= History.MAX_CHARACTERS);
        assertEquals("user", messages.path(0).path("kind").asText());
        assertEquals("a", messages.path(messages.size() - 1).path("text").asText());
        assertEquals(60, messages.size() + history.dropped());
        assertEquals(
                24,
                StreamSupport.stream(messages.spliterator(), false)
                        .filter(message -> message.path("kind").asText().equals("user"))
                        .count());
    }

    @Test
    void groupsReasonsAndLimitsTheirNumber() {
        for (int i = 0; i < 1_000; i++) {
            to.skip("parts", "the same", "example " + i);
            to.skip("parts", "another " + i, "");
        }

        String report = to.told();
        assertReported(report, "parts: the same (1000: example 0, example 1, example 2)", "and 801 more");
        assertTrue(report.lines().count() < 210, report);
    }
}
