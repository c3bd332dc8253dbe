package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.gateway.Settlements;
import dev.parley.platform.http.Caller;
import dev.parley.platform.testkit.EveryProject;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.tools.ToolsSchema;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workspaces over HTTP; each test has a project of its own. */
class WorkspaceHttpIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "a-key-for-this-test";

    @TempDir
    private static Path folder;

    private static Database database;
    /** Commands that inform sessions about decided calls. */
    private static final List<SettleCall> SETTLED = new CopyOnWriteArrayList<>();

    private static EmbeddedServer server;
    private static HttpClient http;

    private final String project = "/v1/projects/" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        var created = TestInfra.newDatabase();
        ToolsSchema.migrate(Databases.single(created.owner()), created.app().user());
        database = Database.of(Databases.single(created.app()));
        var properties = new HashMap<String, Object>();
        properties.put("parley.role.tools", "true");
        properties.put("parley.admin-key", KEY);
        properties.put("micronaut.server.port", -1);
        properties.put("datasources.default.url", created.app().url());
        properties.put("datasources.default.username", created.app().user());
        properties.put("datasources.default.password", created.app().password());
        properties.put("datasources.default.maximum-pool-size", 4);
        Settlements settlements = (_, command) -> SETTLED.add(command);
        server = ApplicationContext.builder()
                .properties(properties)
                .singletons(new BlobStore(folder, BlobStore.MOST), new EveryProject(), settlements)
                .start()
                .getBean(EmbeddedServer.class);
        server.start();
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        http.close();
        server.getApplicationContext().close();
    }

    private HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + project + path))
                .header("Authorization", "Bearer " + KEY)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private HttpResponse<byte[]> put(String path, String text, String... headers) throws Exception {
        return send("PUT", "/files/content?path=" + path, text.getBytes(StandardCharsets.UTF_8), headers);
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return send("GET", path, new byte[0]);
    }

    private HttpResponse<byte[]> post(String path, String json) throws Exception {
        return send("POST", path, json.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static JsonNode json(HttpResponse<byte[]> answer) throws Exception {
        assertEquals(2, answer.statusCode() / 100, text(answer));
        return JSON.readTree(answer.body());
    }

    private static void assertProblem(int status, String code, HttpResponse<byte[]> answer) throws Exception {
        assertEquals(status, answer.statusCode(), text(answer));
        assertEquals(code, JSON.readTree(answer.body()).path("code").asText(), text(answer));
    }

    private static String etag(HttpResponse<byte[]> answer) {
        return answer.headers().firstValue("ETag").orElse("");
    }

    @Test
    @Tag("I100")
    void onlyOneOfTwoWritersOfAVersionSucceeds() throws Exception {
        // Given
        assertEquals(201, put("/a.txt", "one").statusCode());
        assertProblem(428, "if_match_required", put("/a.txt", "two"));
        var writes = new ArrayList<Callable<HttpResponse<byte[]>>>();
        for (String text : List.of("left", "right")) {
            writes.add(() -> put("/a.txt", text, "If-Match", "\"1\""));
        }

        // When
        var statuses = new ArrayList<Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var write : threads.invokeAll(writes)) {
                statuses.add(write.get().statusCode());
            }
        }

        // Then
        statuses.sort(null);
        assertEquals(List.of(200, 412), statuses);
        HttpResponse<byte[]> now = get("/files/content?path=/a.txt");
        assertEquals("\"2\"", etag(now));
        assertEquals(
                json(get("/files")).at("/data/0/sha256").asText(),
                FileData.of(text(now)).sha256());
        assertProblem(412, "version_conflict", put("/none.txt", "x", "If-Match", "\"1\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain",
                "image/png",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x"
            })
    @Tag("I106")
    void returnsBytesOfAnyTypeUnchanged(String type) throws Exception {
        byte[] bytes = HexFormat.of().parseHex("89504e470d0a1a0a0000000d49484452ff00fe7b22");
        for (int version = 1; version <= 3; version++) {
            bytes[20] = (byte) version;
            HttpResponse<byte[]> written =
                    send("PUT", "/files/content?path=/p.png", bytes, "Content-Type", type, "If-Match", "*");
            assertEquals(version, json(written).get("version").asInt());
            HttpResponse<byte[]> back = get("/files/content?path=/p.png&version=" + version);
            assertArrayEquals(bytes, back.body());
            assertEquals(
                    "application/octet-stream",
                    back.headers().firstValue("Content-Type").orElse(""));
        }
    }

    @Test
    void storesAnEmptyFile() throws Exception {
        assertEquals(201, send("PUT", "/files/content?path=/empty", new byte[0]).statusCode());
        assertEquals(0, get("/files/content?path=/empty").body().length);
    }

    @Test
    void listsFilesInPages() throws Exception {
        // Given
        for (String path : List.of("/a.md", "/x/b.md", "/x/c.txt", "/x/y/d.md")) {
            put(path, path);
        }

        // Then
        JsonNode first = json(get("/files?limit=2"));
        assertEquals(2, first.get("data").size());
        JsonNode second = json(get("/files?limit=2&cursor=" + first.get("next").asText()));
        assertEquals("/x/c.txt", second.at("/data/0/path").asText());
        assertTrue(second.get("next").isNull());
        assertEquals(3, json(get("/files?prefix=x/")).get("data").size());
        assertEquals(3, json(get("/files?glob=**/*.md")).get("data").size());
        assertEquals(2, json(get("/files?prefix=/x&glob=*.md")).get("data").size());
        assertProblem(400, "invalid_value", get("/files?glob=%7Ba"));
        assertProblem(400, "invalid_cursor", get("/files?cursor=x"));
    }

    @Test
    @Tag("I101")
    @Tag("I105")
    void listsComparesAndRestoresVersions() throws Exception {
        put("/a.txt", "one\n");
        String id =
                json(put("/a.txt", "two\n", "If-Match", "\"1\"")).get("file").asText();

        JsonNode versions = json(get("/files/versions?path=/a.txt&limit=1"));
        assertEquals("user", versions.at("/data/0/authorKind").asText());
        assertEquals(
                1,
                json(get("/files/versions?path=/a.txt&cursor="
                                + versions.get("next").asText()))
                        .at("/data/0/version")
                        .asInt());
        assertTrue(text(get("/files/diff?path=/a.txt&from=1")).endsWith("-one\n+two\n"));
        assertProblem(404, "unknown_file", get("/files/diff?path=/a.txt&from=1&to=7"));

        JsonNode back = json(post("/files/revert", "{\"path\":\"/a.txt\",\"version\":1}"));
        assertEquals(3, back.get("version").asInt());
        assertEquals(FileData.of("one\n").sha256(), back.get("sha256").asText());

        // When it is deleted
        assertProblem(
                412,
                "version_conflict",
                send("DELETE", "/files/content?path=/a.txt", new byte[0], "If-Match", "\"1\""));
        assertEquals(
                204, send("DELETE", "/files/content?path=/a.txt", new byte[0]).statusCode());
        assertProblem(404, "unknown_file", get("/files/content?path=/a.txt"));
        assertEquals(id, json(get("/files?deleted=true")).at("/data/0/id").asText());

        // Then its path can be used again, and its versions remain readable
        assertEquals(201, put("/a.txt", "new").statusCode());
        assertEquals("two\n", text(get("/files/content?file=" + id + "&version=2")));
        assertEquals(4, json(get("/files/versions?file=" + id)).get("data").size());
        assertEquals(1, json(get("/files/versions?path=/a.txt")).get("data").size());
    }

    private static final String DRAFT = "{\"pages\":3,\"seen\":true,\"status\":\"draft é\"}";

    private HttpResponse<byte[]> describe(String path, String json, String version) throws Exception {
        return send(
                "PATCH",
                "/files?path=" + path,
                json.getBytes(StandardCharsets.UTF_8),
                "Content-Type",
                "application/json",
                "If-Match",
                "\"" + version + "\"");
    }

    private JsonNode metadata(String path) throws Exception {
        return json(get("/files?prefix=" + path)).at("/data/0/metadata");
    }

    @Test
    @Tag("I100")
    void keepsMetadataWithEachVersion() throws Exception {
        // Given
        String ascii = DRAFT.replace("é", "\\u00E9");
        assertEquals(
                DRAFT,
                json(put("/a.md", "one", "File-Metadata", ascii))
                        .get("metadata")
                        .toString());

        // When it is written without metadata, described, and written with other metadata
        assertEquals(
                DRAFT,
                json(put("/a.md", "two", "If-Match", "*")).get("metadata").toString());
        assertProblem(412, "version_conflict", describe("/a.md", "{\"metadata\":{}}", "1"));
        JsonNode described = json(describe("/a.md", "{\"metadata\":{\"status\":\"final\"}}", "2"));
        put("/a.md", "four", "If-Match", "*", "File-Metadata", "{}");

        // Then
        assertEquals(3, described.get("version").asInt());
        assertEquals(FileData.of("two").sha256(), described.get("sha256").asText());
        assertEquals("{}", metadata("/a.md").toString());
        HttpResponse<byte[]> first = get("/files/content?path=/a.md&version=1");
        assertEquals(ascii, first.headers().firstValue("File-Metadata").orElse(""));
        assertEquals(
                "{\"status\":\"final\"}",
                json(get("/files/versions?path=/a.md")).at("/data/1/metadata").toString());
        assertEquals("", text(get("/files/diff?path=/a.md&from=2&to=3")));

        // When an earlier version is restored
        post("/files/revert", "{\"path\":\"/a.md\",\"version\":3}");

        // Then
        assertEquals("final", metadata("/a.md").path("status").asText());
    }

    @Test
    @Tag("I107")
    void restoredSnapshotRestoresMetadata() throws Exception {
        // Given
        put("/a.txt", "one", "File-Metadata", "{\"status\":\"draft\"}");
        put("/b.png", "one", "File-Metadata", "{\"n\":1.5}");
        String id = json(post("/snapshots", "")).get("id").asText();
        json(describe("/a.txt", "{\"metadata\":{}}", "1"));
        send("DELETE", "/files/content?path=/b.png", new byte[0]);

        // When
        JsonNode restored = json(post("/snapshots/" + id + "/restore", ""));

        // Then
        assertEquals(2, restored.get("changed").asInt());
        assertEquals("draft", metadata("/a.txt").path("status").asText());
        assertEquals(1.5, metadata("/b.png").path("n").asDouble());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "null",
                "{\"a\":null}",
                "{\"a\":[1]}",
                "{\"a\":{\"b\":1}}",
                "{\"\":1}",
                "{\"a\":1e400}",
                "{\"a\":12345678901234567890}",
                "{\"a\":\"\\u0000\"}",
                "{\"a\":\"\\ud800\"}",
                "{\"a\""
            })
    @Tag("I100")
    void rejectsInvalidMetadata(String metadata) throws Exception {
        assertProblem(400, "invalid_value", put("/a.txt", "one", "File-Metadata", metadata));
        assertProblem(404, "unknown_file", get("/files/content?path=/a.txt"));
    }

    @Test
    @Tag("I100")
    void limitsMetadata() throws Exception {
        // Given
        put("/a.txt", "one");
        String metadata = IntStream.rangeClosed(0, 32)
                .mapToObj(i -> "\"k" + i + "\":1")
                .collect(Collectors.joining(",", "{\"metadata\":{", "}}"));

        // Then
        assertProblem(400, "invalid_value", describe("/a.txt", metadata, "1"));
        assertProblem(
                400, "invalid_value", describe("/a.txt", "{\"metadata\":{\"a\":\"" + "é".repeat(700) + "\"}}", "1"));
        assertProblem(400, "invalid_value", describe("/a.txt", "{\"metadata\":{\"" + "k".repeat(65) + "\":1}}", "1"));
        assertProblem(400, "missing_field", describe("/a.txt", "{}", "1"));
        assertProblem(404, "unknown_file", describe("/none", "{\"metadata\":{}}", "1"));
        assertEquals(
                200,
                describe("/a.txt", "{\"metadata\":{\"a\":\"" + "x".repeat(4_000) + "\"}}", "1")
                        .statusCode());
    }

    @Test
    @Tag("I102")
    void listsFilesByTypeAndMetadata() throws Exception {
        // Given
        put("/a.md", "a", "Content-Type", "text/markdown", "File-Metadata", "{\"status\":\"draft\",\"n\":2}");
        put("/b.md", "b", "Content-Type", "Text/Markdown; charset=utf-8", "File-Metadata", "{\"status\":\"final\"}");
        put("/c.png", "c", "Content-Type", "image/png");
        put("/d/e.svg", "e", "Content-Type", "image/svg+xml", "File-Metadata", "{\"status\":\"draft\"}");
        put("/f", "f", "Content-Type", "imagery/x");

        // Then
        assertEquals(List.of("/a.md", "/b.md"), listed("type=text/markdown"));
        assertEquals(List.of("/c.png", "/d/e.svg"), listed("type=image/*"));
        assertEquals(List.of("/d/e.svg"), listed("type=image/*&prefix=/d/"));
        assertEquals(List.of("/c.png"), listed("type=image/*&glob=*.png"));
        assertEquals(List.of("/a.md", "/d/e.svg"), listed("metadata=status=draft"));
        assertEquals(List.of("/a.md"), listed("metadata=status=draft&type=text/*"));
        assertEquals(List.of("/a.md"), listed("metadata=n=2"));
        assertEquals(List.of(), listed("type=video/*"));
        JsonNode page = json(get("/files?type=image/*&limit=1"));
        assertEquals(
                "/d/e.svg",
                json(get("/files?type=image/*&limit=1&cursor="
                                + page.get("next").asText()))
                        .at("/data/0/path")
                        .asText());
        assertProblem(400, "invalid_value", get("/files?type=*"));
        assertProblem(400, "invalid_value", get("/files?metadata=draft"));
        assertProblem(400, "invalid_value", get("/files?type=image/*&deleted=true"));
    }

    private List<String> listed(String query) throws Exception {
        return json(get("/files?" + query)).path("data").findValuesAsText("path");
    }

    @Test
    @Tag("I107")
    void restoresASnapshotAndUndoesIt() throws Exception {
        put("/a.txt", "one");
        put("/b.txt", "one");
        JsonNode snapshot = json(post("/snapshots", ""));
        String id = snapshot.get("id").asText();
        put("/a.txt", "two", "If-Match", "*");
        put("/c.txt", "new");
        send("DELETE", "/files/content?path=/b.txt", new byte[0]);

        JsonNode restored = json(post("/snapshots/" + id + "/restore", ""));

        assertEquals(snapshot.get("hash"), restored.get("hash"));
        assertEquals(2, restored.get("changed").asInt());
        assertEquals(1, restored.get("deleted").asInt());
        assertEquals("one", text(get("/files/content?path=/a.txt")));
        assertEquals("one", text(get("/files/content?path=/b.txt")));
        assertProblem(404, "unknown_file", get("/files/content?path=/c.txt"));
        assertEquals(2, json(get("/snapshots/" + id + "/files")).get("data").size());

        // When
        String before = restored.at("/before/id").asText();
        assertEquals(
                restored.at("/before/hash"),
                json(post("/snapshots/" + before + "/restore", "")).get("hash"));

        // Then
        assertEquals("two", text(get("/files/content?path=/a.txt")));
        assertEquals(3, json(get("/snapshots")).get("data").size());
        assertEquals(id, json(get("/snapshots/" + id)).get("id").asText());
        assertEquals(204, send("DELETE", "/snapshots/" + id, new byte[0]).statusCode());
        assertProblem(404, "unknown_snapshot", get("/snapshots/" + id));
        assertProblem(404, "unknown_snapshot", post("/snapshots/" + id + "/restore", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "/files/content?path=../x, 400, invalid_path",
        "/files/content?path=a%5Cb, 400, invalid_path",
        "/files/content?path=a%0Ab, 400, invalid_path",
        "/files/content?path=a%FFb, 400, invalid_path",
        "/files/content?path=/none, 404, unknown_file",
        "/files/content, 400, missing_parameter",
        "/files/content?file=6b1f7c1e-8f6d-5c55-9a0e-70a71e7e0001, 404, unknown_file",
        "/files/diff?path=/none&from=0, 404, unknown_file",
        "/files/versions?path=/, 400, invalid_path",
    })
    void rejectsInvalidRequests(String path, int status, String code) throws Exception {
        assertProblem(status, code, get(path));
    }

    @Test
    void unknownTurnHasNoChanges() throws Exception {
        assertEquals(
                0,
                json(get("/turns/" + UUID.randomUUID() + "/changes"))
                        .get("data")
                        .size());
        assertProblem(409, "file_conflict", putIn("/a", "/a/b"));
        assertProblem(400, "missing_field", post("/files/revert", "{\"path\":\"/a\"}"));
    }

    private HttpResponse<byte[]> putIn(String file, String inside) throws Exception {
        put(file, "x");
        return put(inside, "x");
    }

    /** A call of this project whose outcome became unknown the given number of seconds ago. */
    private String lostCall(int seconds) {
        UUID call = UUID.randomUUID();
        UUID id = UUID.fromString(project.substring(project.lastIndexOf('/') + 1));
        database.in(
                Tenant.of(Caller.DEFAULT_HOST).project(id),
                transaction -> transaction.update("""
                INSERT INTO tools.tool_execution_t (host_id, project_id, call_id, session_id, session_key, turn_id, agent, tool, effect,
                  attempt, state, worker, status, result, finished_ts)
                VALUES (?, ?, ?, ?, 'web:1', ?, 'default', 'pay', 'AT_MOST_ONCE', 1, 'unknown', 'w', 'UNKNOWN',
                  'error: outcome unknown: gone', now() - ? * interval '1 second')""", Caller.DEFAULT_HOST, id, call, call, call, seconds));
        return call.toString();
    }

    @Test
    void listsUnknownToolCallsAndDecidesThemOnce() throws Exception {
        // Given
        String old = lostCall(60);
        String young = lostCall(1);

        // When
        JsonNode first = json(get("/tool-calls?state=unknown&limit=1"));
        JsonNode second =
                json(get("/tool-calls?limit=1&cursor=" + first.get("next").asText()));
        JsonNode decided =
                json(post("/tool-calls/" + young + "/decide", "{\"outcome\":\"did_not_happen\",\"note\":\"asked\"}"));

        // Then
        assertEquals(young, first.at("/data/0/id").asText());
        assertEquals(old, second.at("/data/0/id").asText());
        assertTrue(second.get("next").isNull());
        assertEquals("web:1", first.at("/data/0/session").asText());
        assertEquals("pay", first.at("/data/0/tool").asText());
        assertEquals("at_most_once", first.at("/data/0/effect").asText());
        assertEquals("error: outcome unknown: gone", first.at("/data/0/result").asText());
        assertTrue(first.at("/data/0/decision").isNull());
        assertEquals("did_not_happen", decided.at("/decision/outcome").asText());
        assertEquals("asked", decided.at("/decision/note").asText());
        assertEquals(young, SETTLED.getLast().callId().toString());
        assertEquals(CallOutcome.DID_NOT_HAPPEN, SETTLED.getLast().outcome());
        assertEquals(
                AccessDirectory.ADMIN.toString(),
                decided.at("/decision/decidedBy").asText());
        assertEquals(1, json(get("/tool-calls")).get("data").size());
        assertProblem(409, "already_decided", post("/tool-calls/" + young + "/decide", "{\"outcome\":\"happened\"}"));
        assertProblem(400, "missing_field", post("/tool-calls/" + old + "/decide", "{}"));
        assertProblem(400, "invalid_value", post("/tool-calls/" + old + "/decide", "{\"outcome\":\"maybe\"}"));
        String note = "x".repeat(2_001);
        assertProblem(
                400,
                "invalid_note",
                post("/tool-calls/" + old + "/decide", "{\"outcome\":\"happened\",\"note\":\"" + note + "\"}"));
        assertProblem(400, "invalid_value", get("/tool-calls?state=done"));
        assertProblem(
                404,
                "unknown_tool_call",
                post("/tool-calls/" + UUID.randomUUID() + "/decide", "{\"outcome\":\"happened\"}"));
        var elsewhere = HttpRequest.newBuilder(URI.create(
                        server.getURI() + "/v1/projects/" + UUID.randomUUID() + "/tool-calls/" + old + "/decide"))
                .header("Authorization", "Bearer " + KEY)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"outcome\":\"happened\"}"));
        assertProblem(404, "unknown_tool_call", http.send(elsewhere.build(), BodyHandlers.ofByteArray()));
    }
}
