package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankScope;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.serde.RecordFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Export of a project during traffic, and its import into the same and another installation. */
class ArchiveIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ERASED = "what-was-erased-before";
    private static final String SENTINEL = "sentinel-of-another-project";

    @TempDir
    static Path folder;

    private static final String PASSWORD = "a long password of ada";
    private static final String ADAS_FILE = "/files/content?path=/ada.txt";

    private static Instance instance;
    private static Api api;
    private static String ada;
    private static String project;
    private static String secret;
    private static Path archive;
    private static Instant instant;

    @BeforeAll
    static void exportDuringTraffic() throws Exception {
        instance = Instances.start(folder.resolve("one"));
        api = Api.of(instance);
        project = api.project("A project");
        say(api, api.project("Another"), "web:9", "!say " + SENTINEL);
        secret = api.post("/v1/api-keys", Map.of("name", "of the operator"))
                .json()
                .path("apiKey")
                .asText("no key");
        archive = folder.resolve("project.zip");

        say(api, project, "web:erased", "!say " + ERASED);
        api.post(path(project, "web:erased") + "/erase", Map.of());
        say(api, project, "web:erased", "!say anew");
        say(api, project, "web:memory", "my name is Ada");
        say(api, project, "web:delegates", "!delegate default my dog is Rex\n!then\n!say it knows");
        sendFile("web:file");
        for (int i = 0; i < 3; i++) { // more than fits into one piece
            say(api, project, "web:large", "!say read\n" + "long ".repeat(100_000));
        }
        api.post(path(project, "web:memory") + "/fork", Map.of("target", "web:fork"));
        say(api, project, "web:new", "!say old");
        api.post(path(project, "web:new") + "/context", Map.of("reset", "new"));
        say(api, project, "web:new", "my cat is Tom");
        createDefinitions();
        writeFiles();
        retainFacts();
        ada = createUserWithoutTurns();
        var stop = new AtomicBoolean();
        try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                String session = "web:busy" + i;
                var _ = people.submit(() -> talk(session, stop));
            }
            try {
                Awaitility.await().until(() -> count("agent_turn_t", project) > 30);
                assertEquals(0, run("one", "export", project, "-o", archive.toString()));
            } finally {
                stop.set(true);
            }
        }
        instant = Instant.parse(manifest().path("instant").asText());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> rows(instance, project, null).values().stream().noneMatch(row -> row.contains("null")));
    }

    // ---- contents other than sessions

    private static void createDefinitions() {
        String projectPath = "/v1/projects/" + project;
        api.create(projectPath + "/tools", TOOL);
        api.create(
                projectPath + "/skills",
                Map.of("name", "plan-trips", "description", "plans trips", "text", "# How to"));
        api.create(
                projectPath + "/agents",
                Map.of(
                        "name", "guide",
                        "model", "scripted/any",
                        "prompt", "You guide.",
                        "skills", List.of(Map.of("name", "plan-trips")),
                        "options", Map.of("memory", "agent")));
        Api.Answer flow = api.postYaml(projectPath + "/workflows", """
                document: { dsl: '1.0.3', namespace: archive, name: flow, version: '1.0.0' }
                do: [ { end: { set: { said: from the workflow } } } ]
                """);
        assertEquals(201, flow.status(), flow.text());
        api.post(projectPath + "/workflows/archive:flow/instances?wait=60s", null);
        api.get("/v1/processes?fresh=true&project=" + project);
        api.create(projectPath + "/permissions", Map.of("tool", "file_write", "action", "allow"));
        api.create(projectPath + "/permissions", Map.of("tool", "file_delete", "action", "allow"));
    }

    private static final Map<String, Object> TOOL = Map.of(
            "name", "weather",
            "description", "The weather",
            "type", "rest",
            "effect", "idempotent",
            "implementation", Map.of("method", "GET", "url", "https://weather.example/now"));

    /** Writes a text file with three versions, one of them by an agent; a binary file; and a path used twice. */
    private static void writeFiles() {
        String content = "/v1/projects/" + project + "/files/content?path=";
        put(content + "/notes/today.md", "one", null);
        put(content + "/notes/today.md", "one\ntwo", "*");
        say(
                api,
                project,
                "web:files",
                "!call file_write {\"path\":\"/notes/today.md\",\"content\":\"three\"}\n!then\n!say ok");
        put(content + "/picture.bin", "\u0000\u0001", null);
        Api.Answer noted = api.patch(
                "/v1/projects/" + project + "/files?path=/picture.bin",
                Map.of("metadata", Map.of("status", "é")),
                Map.of("If-Match", "*"));
        assertEquals(200, noted.status(), noted.text());
        put(content + "/again.txt", "the first one", null);
        assertEquals(204, api.delete(content + "/again.txt").status());
        put(content + "/again.txt", "the second one", null);
        put(content + "/gone.txt", "not here any more", null);
        assertEquals(204, api.delete(content + "/gone.txt").status());
    }

    private static void put(String path, String text, String ifMatch) {
        Api.Answer answer = api.send("PUT", path, text, ifMatch == null ? Map.of() : Map.of("If-Match", ifMatch));
        assertTrue(answer.status() == 200 || answer.status() == 201, answer.text());
    }

    private static void retainFacts() {
        var body = Map.of("text", "Alice Chen moved to Oslo in May.");
        for (String scope : List.of("agent", "user")) {
            Api.Answer response = api.post("/v1/banks/" + bank(api, project, scope) + "/docs?wait=60s", body);
            assertEquals(200, response.status(), response.text());
        }
    }

    /** Creates a user without turns, who wrote a file and has a memory bank; returns their id. */
    private static String createUserWithoutTurns() {
        String id = account(api);
        api.create("/v1/projects/" + project + "/members", Map.of("user", id, "role", "member"));
        var adaApi = new Api(api.url(), signIn(api));
        Api.Answer response = adaApi.send("PUT", "/v1/projects/" + project + ADAS_FILE, "by Ada", Map.of());
        assertEquals(201, response.status(), response.text());
        String docs = "/v1/banks/" + bank(adaApi, project, "user") + "/docs?wait=60s";
        assertEquals(
                200, adaApi.post(docs, Map.of("text", "Ada plays the harp.")).status());
        return id;
    }

    private static String account(Api api) {
        return api.post("/v1/auth/register", Map.of("username", "ada", "password", PASSWORD))
                .json()
                .path("id")
                .asText();
    }

    private static String signIn(Api api) {
        return api.post("/v1/auth/login", Map.of("username", "ada", "password", PASSWORD))
                .json()
                .path("token")
                .asText();
    }

    private static String author(Api api) {
        return api.list("/v1/projects/" + project + ADAS_FILE.replace("content", "versions"))
                .getFirst()
                .path("author")
                .asText();
    }

    private static String bank(Api api, String key, String scope) {
        var bank = new HashMap<String, Object>(Map.of("scope", scope, "project", key));
        if (scope.equals("agent")) {
            bank.put("agent", "guide");
        }
        Api.Answer found = api.post("/v1/banks", bank);
        assertTrue(found.status() == 200 || found.status() == 201, found.text());
        return found.json().path("id").asText();
    }

    /** The contents of a project other than sessions, without ids. */
    private static Map<String, Object> contents(Api api, String key) {
        String projectPath = "/v1/projects/" + key;
        var found = new TreeMap<String, Object>();
        JsonNode agent = api.get(projectPath + "/agents/guide").json();
        found.put(
                "agent",
                List.of(agent.path("prompt"), agent.path("source"), agent.path("skills"), agent.path("options")));
        JsonNode tool = api.get(projectPath + "/tools/weather").json();
        found.put("tool", List.of(tool.path("version"), tool.path("implementation"), tool.path("source")));
        found.put("skill", api.get(projectPath + "/skills/plan-trips").json().path("text"));
        found.put(
                "rules",
                api.list(projectPath + "/permissions").stream()
                        .map(rule -> rule.path("tool").asText() + rule.path("action"))
                        .sorted()
                        .toList());
        for (JsonNode file : api.list(projectPath + "/files")) {
            found.put(file.path("path").asText(), file.path("sha256").asText() + file.path("metadata"));
            found.put(
                    "versions of " + file.path("path").asText(),
                    versions(api, projectPath, file.path("id").asText()));
        }
        for (JsonNode file : api.list(projectPath + "/files?deleted=true")) {
            found.put(
                    "deleted " + file.path("path").asText(),
                    versions(api, projectPath, file.path("id").asText()));
        }
        found.put(
                "diff",
                api.get(projectPath + "/files/diff?path=/notes/today.md&from=1&to=2")
                        .text());
        found.put(
                "first",
                api.get(projectPath + "/files/content?path=/notes/today.md&version=1")
                        .text());
        for (String scope : List.of("agent", "user")) {
            JsonNode recalled = api.post(
                            "/v1/banks/" + bank(api, key, scope) + "/recall",
                            Map.of("query", "where does Alice live?", "maxTokens", 500))
                    .json();
            found.put("memory of " + scope, recalled.findValuesAsText("text"));
        }
        return found;
    }

    private static List<String> versions(Api api, String projectPath, String file) {
        return api.list(projectPath + "/files/versions?file=" + file).stream()
                .map(version -> "%s %s %s %s %s"
                        .formatted(
                                version.path("version"),
                                version.path("sha256"),
                                version.path("authorKind"),
                                version.path("step"),
                                version.path("createdAt")))
                .toList();
    }

    private static void talk(String session, AtomicBoolean stop) {
        for (int i = 0; !stop.get(); i++) {
            say(
                    api,
                    project,
                    session,
                    "!call echo {\"text\":\"%d\"}\n!then\n!delay 20ms\n!say done %d".formatted(i, i));
        }
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    private static String path(String project, String session) {
        return "/v1/projects/" + project + "/sessions/" + session;
    }

    private static JsonNode say(Api to, String project, String session, String text) {
        Api.Answer answer = to.turn(path(project, session), Map.of("text", text));
        assertEquals(200, answer.status(), answer.text());
        return answer.json();
    }

    private static void sendFile(String session) {
        String bytes = Base64.getEncoder().encodeToString("a file's bytes".getBytes(StandardCharsets.UTF_8));
        var parts = List.of(
                Map.of("kind", "text", "text", "!say thanks"),
                Map.of("kind", "file", "name", "notes.txt", "mimeType", "text/plain", "data", bytes));
        assertEquals(
                200, api.turn(path(project, session), Map.of("parts", parts)).status());
    }

    /** Runs a command on the installation with this name; returns its exit status. */
    private static int run(String name, String... arguments) {
        var command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("--data", folder.resolve(name).toString()));
        return Parley.commandLine(
                        Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()), Program.installed())
                .execute(command.toArray(String[]::new));
    }

    private static JsonNode manifest() throws IOException {
        return manifest(archive);
    }

    private static JsonNode manifest(Path archive) throws IOException {
        try (var zip = new ZipFile(archive.toFile())) {
            return JSON.readTree(zip.getInputStream(zip.getEntry("manifest.json")));
        }
    }

    private static long count(String view, String key) {
        return query(
                        instance,
                        "SELECT 'n', count(*) FROM sessions." + view
                                + " v JOIN sessions.project_t p USING (host_id, project_id)"
                                + " WHERE p.project_key = ? AND v.completed_ts IS NOT NULL",
                        key)
                .values()
                .stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static Map<String, String> query(Instance instance, String sql, Object... values) {
        Database database = instance.beans().getBean(Database.class);
        try (Connection connection = database.reading(Tenant.ALL);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            var found = new TreeMap<String, String>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.put(row.getString(1), String.valueOf(row.getString(2)));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A digest of each turn with its messages, without ids: of turns completed by an instant, or of all. */
    private static Map<String, String> rows(Instance instance, String key, Instant until) {
        return query(
                instance, """
                SELECT s.session_key || ' ' || s.epoch || ' ' || t.turn_seq,
                  concat_ws('|', t.user_message, t.reply, t.state, t.message_count, t.tokens_input, t.created_ts,
                    coalesce(t.completed_ts::text, 'null'), s.title, s.user_id,
                    (SELECT md5(string_agg(concat_ws('|', m.role, m.model_id, p.kind, p.tool_name, p.tool_status,
                         regexp_replace(p.content::text, '[0-9a-f]{8}-[0-9a-f-]{27}', 'id', 'g')), '|' ORDER BY m.seq, p.idx))
                     FROM sessions.agent_message_t m JOIN sessions.agent_message_part_t p USING (host_id, message_id)
                     WHERE m.host_id = t.host_id AND m.turn_id = t.turn_id))
                FROM sessions.agent_turn_t t JOIN sessions.agent_session_t s USING (host_id, project_id, session_id)
                JOIN sessions.project_t j USING (host_id, project_id)
                WHERE j.project_key = ? AND (?::timestamptz IS NULL OR t.completed_ts <= ?::timestamptz)
                """, key, until == null ? null : until.toString(), until == null ? null : until.toString());
    }

    @Test
    @Tag("I114")
    void importAsANewProjectRestoresTheStateOfTheExport() {
        // When
        String other = UUID.randomUUID().toString();
        assertEquals(0, run("one", "import", archive.toString(), "--as", other));

        // Then
        var expected = rows(instance, project, instant);
        assertTrue(expected.size() > 30, "something was said");
        assertTrue(expected.size() < rows(instance, project, null).size(), "it went on afterwards");
        Awaitility.await().untilAsserted(() -> assertEquals(expected, rows(instance, other, null)));
        assertEquals(0, run("one", "import", archive.toString(), "--as", other), "again");
        assertEquals(expected, rows(instance, other, null));
        assertRemembers(api, other);
        var contents = contents(api, project);
        assertTrue(contents.get("memory of agent").toString().contains("Oslo"), contents.toString());
        Awaitility.await().untilAsserted(() -> assertEquals(contents, contents(api, other)));
        assertChanges(api, other);
        String flow = "/v1/projects/" + other + "/workflows/archive:flow/instances?wait=60s";
        assertEquals(
                "from the workflow",
                api.post(flow, null).json().path("output").path("said").asText());
        assertEquals(
                "A project",
                api.get("/v1/projects/" + other).json().path("name").asText());
        var audited = api.get("/v1/audit?project=" + other).text();
        assertTrue(audited.contains("import"), audited);
    }

    @Test
    @Tag("I115")
    void replicaOfProjectChangesEqualsAnExport() throws IOException {
        // Given
        Path now = folder.resolve("now.zip");
        String member = api.post("/v1/auth/register", Map.of("username", "follower", "password", "correct horse"))
                .json()
                .path("id")
                .asText();
        String path = "/v1/projects/" + project + "/members";
        assertEquals(
                201, api.post(path, Map.of("user", member, "role", "viewer")).status());
        String etag = api.get("/v1/projects/" + project).etag();
        var followed = api.send(
                "PUT",
                "/v1/projects/" + project + "/settings",
                Map.of("projectChanges", true),
                Map.of("If-Match", etag));
        assertEquals(200, followed.status(), followed.text());
        assertEquals(0, run("one", "export", project, "-o", now.toString()));
        Map<String, TurnEvent> expected = events(now);
        Map<String, MemoryEvent> expectedMemories = memories(now);

        // When
        try (var replica = new Replica(instance.beans().getBean(KafkaClients.class), UUID.fromString(project))) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                replica.follow();

                // Then
                var events = replica.events();
                events.values().removeIf(event -> event instanceof TurnEvent.SessionErased);
                assertEquals(expected.keySet(), events.keySet());
                assertEquals(expected, events);
                assertFalse(expectedMemories.isEmpty());
                assertEquals(expectedMemories, replica.memories());
                assertTrue(replica.definitions().containsAll(List.of("agent guide", "tool weather@1.0.0")));
                assertEquals("A project", replica.name());
                assertTrue(replica.members().contains(member));
            });
        }
    }

    /** All events of an archive, by {@code {session key}#{seq}}. */
    static Map<String, TurnEvent> events(Path archive) throws IOException {
        return records(
                archive,
                "sessions/",
                TurnEvent.class,
                event -> event.meta().key().session() + "#" + event.meta().seq());
    }

    private static Map<String, MemoryEvent> memories(Path archive) throws IOException {
        return records(
                archive,
                "memory/",
                MemoryEvent.class,
                event ->
                        event.meta().bank().key().session() + "#" + event.meta().seq());
    }

    private static <T> Map<String, T> records(Path archive, String folder, Class<T> type, Function<T, String> key)
            throws IOException {
        var events = new TreeMap<String, T>();
        try (var zip = new ZipFile(archive.toFile())) {
            for (var entry : zip.stream().toList()) {
                if (entry.getName().startsWith(folder)) {
                    try (var records = RecordFiles.of(type).read(zip.getInputStream(entry))) {
                        for (T event : records) {
                            events.put(key.apply(event), event);
                        }
                    }
                }
            }
        }
        return events;
    }

    private static void assertRemembers(Api to, String key) {
        assertReply("Ada", say(to, key, "web:memory", "what is my name?"));
        assertReply("Ada", say(to, key, "web:fork", "what is my name?"));
        assertReply("Tom", say(to, key, "web:new", "what is my cat?"));
        assertReply("read", say(to, key, "web:large", "!say read again"));
        JsonNode next = say(to, key, "web:busy0", "!say next");
        assertEquals("next", next.path("reply").asText());
    }

    private static void assertReply(String word, JsonNode turn) {
        assertTrue(turn.path("reply").asText().contains(word), turn.toString());
    }

    @Test
    @Tag("I114")
    void importIntoAnotherInstallationKeepsIds() throws IOException {
        try (Instance otherInstance = Instances.start(folder.resolve("two"))) {
            // Given a user of the same name
            var otherApi = Api.of(otherInstance);
            String otherAda = account(otherApi);

            // When
            assertEquals(0, run("two", "import", archive.toString()));

            // Then
            var expected = rows(instance, project, instant);
            Awaitility.await().untilAsserted(() -> assertEquals(expected, rows(otherInstance, project, null)));
            String ids =
                    "SELECT t.turn_id::text, s.session_id FROM sessions.agent_turn_t t JOIN sessions.agent_session_t s"
                            + " USING (host_id, session_id) JOIN sessions.project_t j ON j.project_id = t.project_id"
                            + " WHERE j.project_key = ? AND t.completed_ts <= ?::timestamptz";
            assertEquals(
                    query(instance, ids, project, instant.toString()),
                    query(otherInstance, ids, project, instant.toString()),
                    "ids stay");
            assertRemembers(otherApi, project);
            assertNotEquals(ada, otherAda);
            assertEquals(ada, author(api));
            assertEquals(otherAda, author(otherApi), "the file is theirs");
            var adaApi = new Api(otherInstance.url(), signIn(otherApi));
            String recall = "/v1/banks/" + bank(adaApi, project, "user") + "/recall";
            Awaitility.await().untilAsserted(() -> {
                String recalled = adaApi.post(recall, Map.of("query", "What does Ada play?"))
                        .text();
                assertTrue(recalled.contains("harp"), recalled);
                assertEquals(contents(api, project), contents(otherApi, project));
            });
            assertChanges(otherApi, project);
            String blob = blob();
            assertEquals("a file's bytes", otherApi.get("/v1/blobs/" + blob).text());
        }
    }

    /** A turn lists the files that it changed, also under a mapped id. */
    private static void assertChanges(Api api, String key) {
        JsonNode turn = api.list(path(key, "web:files") + "/turns").getFirst();
        JsonNode change = api.list(
                        "/v1/projects/" + key + "/turns/" + turn.path("id").asText() + "/changes")
                .getFirst();
        assertEquals("/notes/today.md", change.path("path").asText(), change.toString());
        assertEquals(3, change.path("toVersion").asInt(), change.toString());
    }

    private static String blob() throws IOException {
        for (JsonNode entry : manifest().path("entries")) {
            String name = entry.path("name").asText();
            if (name.startsWith("blobs/")) {
                return name.substring(6);
            }
        }
        throw new AssertionError("no file in the archive");
    }

    @Test
    void archiveHasNoSecretsOrErasedTexts() throws IOException, GeneralSecurityException {
        // When
        var text = new StringBuilder();
        try (var zip = new ZipFile(archive.toFile())) {
            for (var entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    text.append(text(entry.getName(), in));
                }
            }
        }

        // Then
        for (String phrase : List.of(
                "archive:flow:1.0.0",
                "from the workflow",
                "my name is Ada",
                "You guide.",
                "the first one",
                "Alice Chen moved to Oslo")) {
            assertTrue(text.indexOf(phrase) >= 0, phrase);
        }
        var forbidden = new ArrayList<>(List.of(SENTINEL, ERASED, "email", "password"));
        for (String key : List.of(secret, instance.adminKey())) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            forbidden.addAll(List.of(
                    key, HexFormat.of().formatHex(digest), Base64.getEncoder().encodeToString(digest)));
        }
        for (String phrase : forbidden) {
            assertFalse(text.indexOf(phrase) >= 0, phrase);
        }
    }

    private static String text(String name, InputStream in) throws IOException {
        if (name.endsWith(".avro")) {
            return records(in);
        }
        InputStream plain = name.endsWith(".gz") ? new GZIPInputStream(in) : in;
        return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String records(InputStream in) throws IOException {
        var text = new StringBuilder();
        try (var records = new DataFileStream<>(in, new GenericDatumReader<>())) {
            records.forEach(text::append);
        }
        return text.toString();
    }

    @Test
    void exportIsNotAccessibleThroughAnotherProject() {
        // Given
        String other = api.project("A third");
        String exports = "/v1/projects/" + project + "/exports";
        String id = api.post(exports, Map.of()).json().path("id").asText();
        Api reader = reader();

        // Then it is not accessible through another project, nor to members who are not project administrators
        assertEquals(200, reader.get("/v1/projects/" + project).status());
        assertEquals(403, reader.post(exports, Map.of()).status());
        assertEquals(403, reader.get(exports + "/" + id).status());
        assertEquals(403, reader.get(exports + "/" + id + "/archive").status());
        assertEquals(403, reader.delete(exports + "/" + id).status());
        assertEquals(404, api.get("/v1/projects/" + other + "/exports/" + id).status());
        assertEquals(
                404,
                api.get("/v1/projects/" + other + "/exports/" + id + "/archive").status());
        Awaitility.await()
                .until(() -> api.get("/v1/projects/" + project + "/exports/" + id)
                        .json()
                        .path("state")
                        .asText()
                        .equals("done"));
        assertEquals(
                204, api.delete("/v1/projects/" + project + "/exports/" + id).status());
    }

    /** A member of the project who is not an administrator, of neither the project nor the host. */
    private static Api reader() {
        var credentials = Map.of("username", "reader", "password", "correct horse of reader");
        String id = api.post("/v1/auth/register", credentials).json().path("id").asText();
        api.create("/v1/projects/" + project + "/members", Map.of("user", id, "role", "member"));
        String token =
                api.post("/v1/auth/login", credentials).json().path("token").asText();
        return new Api(api.url(), token);
    }

    @Test
    @Tag("I114")
    @Tag("M1")
    void exportByAProjectAdminOmitsUserBanks() throws IOException {
        // Given an administrator of the project who is not the host's: the first user would be that
        String key = "";
        String lead = "";
        for (String name : List.of("somebody", "lead")) {
            var credentials = Map.of("username", name, "password", "correct horse of " + name);
            lead = api.post("/v1/auth/register", credentials).json().path("id").asText();
            key = api.post("/v1/auth/login", credentials).json().path("token").asText();
        }
        api.create("/v1/projects/" + project + "/members", Map.of("user", lead, "role", "admin"));

        // When
        Path export = folder.resolve("lead.zip");
        assertEquals(0, run("one", "export", project, "-o", export.toString(), "--url", api.url(), "--key", key));

        // Then
        assertEquals(
                Set.of(BankScope.AGENT),
                memories(export).values().stream()
                        .map(event -> event.meta().bank().scope())
                        .collect(Collectors.toSet()));
        assertTrue(manifest(export).path("absent").toString().contains("banks of persons"));
        assertEquals(
                Set.of(BankScope.AGENT, BankScope.USER),
                memories(archive).values().stream()
                        .map(event -> event.meta().bank().scope())
                        .collect(Collectors.toSet()));
    }

    @Test
    @Tag("I111")
    void rejectsNewerAndDamagedArchives() throws IOException {
        // Given
        Path newer = Files.copy(archive, folder.resolve("newer.zip"));
        Path damaged = Files.copy(archive, folder.resolve("damaged.zip"));
        try (var zip = FileSystems.newFileSystem(newer)) {
            var manifest = (ObjectNode) JSON.readTree(Files.readAllBytes(zip.getPath("manifest.json")));
            manifest.put("schemas", manifest.path("schemas").asInt() + 1);
            Files.write(zip.getPath("manifest.json"), JSON.writeValueAsBytes(manifest));
        }
        try (var zip = FileSystems.newFileSystem(damaged)) {
            Files.writeString(zip.getPath("sessions/000001.avro"), "other bytes");
        }
        String to = UUID.randomUUID().toString();

        // When
        String id = api.post("/v1/projects/imports", Map.of()).json().path("id").asText();
        upload(id, Files.readAllBytes(newer));
        Api.Answer refused = api.post("/v1/projects/imports/" + id + "/start?as=" + to, Map.of());

        // Then
        assertEquals(409, refused.status(), refused.text());
        assertEquals("archive_too_new", refused.code());
        assertEquals(1, run("one", "import", newer.toString(), "--as", to));
        assertEquals(1, run("one", "import", damaged.toString(), "--as", to));
        assertEquals(1, run("one", "import", archive.toString(), "--as", "default/no"));
        assertEquals(404, api.get("/v1/projects/" + to).status(), "nothing was made");
        assertEquals(1, run("one", "import", archive.toString()), "the project is in use");
    }

    /** A key whose derived id, or whose own, is that of another project is taken. */
    @Test
    @Tag("B45")
    void importedProjectHasAnIdOfItsOwn() throws IOException {
        String id = RecordKey.projectId(RecordKey.DEFAULT_PROJECT).toString();

        assertEquals(1, run("one", "import", archive.toString(), "--as", id));
        assertEquals(404, api.get("/v1/projects/" + id).status());
        assertEquals(1, run("one", "import", archive.toString(), "--as", id.toUpperCase(java.util.Locale.ROOT)));
    }

    private static void upload(String id, byte[] bytes) throws IOException {
        var request = java.net.http.HttpRequest.newBuilder(
                        java.net.URI.create(api.url() + "/v1/projects/imports/" + id + "?from=0"))
                .header("Authorization", "Bearer " + api.key())
                .header("Content-Type", "application/octet-stream")
                .PUT(java.net.http.HttpRequest.BodyPublishers.ofByteArray(bytes))
                .build();
        try (var http = java.net.http.HttpClient.newHttpClient()) {
            assertEquals(
                    200,
                    http.send(request, java.net.http.HttpResponse.BodyHandlers.ofString())
                            .statusCode());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
