package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.ZipFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Export of a user's personal data: all of it, and nothing else. */
class PersonalDataIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path folder;

    private static Instance instance;
    private static Api admin;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(
                folder.resolve("parley.yml"),
                "agents:\n  - { name: default, options: { memory: user } }\npermissions:\n  - { tool: make, action: allow }\n");
        instance = Instances.start(folder.resolve("data"));
        admin = Api.of(instance);
        createUser("founder"); // the first user is the administrator
    }

    @AfterAll
    static void stop() {
        HTTP.close();
        instance.close();
    }

    /** A user whose data all contain their name. */
    private record TestUser(String id, String name, String password, Api api) {
        String word(String kind) {
            return kind + "-of-" + name;
        }
    }

    private static TestUser createUser(String name) {
        var credentials = Map.of("username", name, "password", "secret-password-of-" + name);
        String id =
                admin.post("/v1/auth/register", credentials).json().path("id").asText();
        String token =
                admin.post("/v1/auth/login", credentials).json().path("token").asText("none");
        return new TestUser(id, name, credentials.get("password"), new Api(instance.url(), token));
    }

    /** Creates data of each kind; returns the secret of an API key. */
    private static String createData(TestUser user) {
        Api api = user.api();
        api.patch("/v1/me", Map.of("email", user.word("mail") + "@example.com", "timeZone", "Europe/Berlin"));
        api.patch("/v1/me/preferences", Map.of("theme", user.word("preference")));
        String rated = api.say(user.word("web:same"), "!say " + user.word("reply") + "\n" + user.word("message"))
                .path("id")
                .asText();
        var opinion = Map.of("opinion", "bad", "text", user.word("opinion"));
        assertTrue(
                api.post("/v1/sessions/" + user.word("web:same") + "/turns/" + rated + "/feedback", opinion)
                                .status()
                        < 300,
                rated);
        api.say(user.word("web:same"), "!call echo {\"text\":\"" + user.word("output") + "\"}\n!then\n!say done");
        api.post("/v1/sessions/" + user.word("web:same") + "/context", Map.of("reset", "new"));
        api.say(user.word("web:same"), "!say " + user.word("second-epoch"));
        api.say(user.word("web:archived"), "!say " + user.word("archived"));
        api.post("/v1/sessions/" + user.word("web:archived") + "/archive", Map.of());
        file(user);
        link(user);
        String project = project(user);
        workflow(user, project);
        api.say(user.word("web:%C3%9Cn%C3%AF..x"), "!say " + user.word("strange"));
        assertEquals(
                200,
                api.turn(
                                "/v1/projects/" + project + "/sessions/web:own",
                                Map.of("text", "!say " + user.word("project")))
                        .status());
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> export(api).entrySet().stream()
                        .anyMatch(entry -> entry.getKey().startsWith("memory/" + project)
                                && entry.getValue().contains(user.word("project"))));
        String messages = "/v1/projects/" + project + "/sessions/web:own/messages";
        Awaitility.await().until(() -> api.get(messages).text().contains(user.word("project"))); // views lag
        var credential = Map.of("provider", "openai", "apiKey", "sk-secret-key-of-" + user.name() + "-4711");
        assertEquals(201, api.post("/v1/credentials", credential).status());
        return api.post("/v1/api-keys", Map.of("name", user.word("key")))
                .json()
                .path("apiKey")
                .asText();
    }

    /** Starts a workflow process as the user and completes its task. */
    private static void workflow(TestUser user, String project) {
        Api api = user.api();
        String path = "/v1/projects/" + project + "/workflows";
        assertEquals(201, api.postYaml(path, """
                document: { dsl: '1.0.3', namespace: own, name: flow, version: '1.0.0' }
                do: [ { check: { ask: { prompt: 'Well?' } } } ]
                """).status());
        api.post(path + "/own:flow/instances", Map.of("input", Map.of("said", user.word("process"))));
        String tasks = "/v1/tasks?fresh=true&project=" + project;
        Awaitility.await().until(() -> !api.list(tasks).isEmpty());
        String task = api.list(tasks).getFirst().path("id").asText();
        assertEquals(
                200,
                api.post("/v1/tasks/" + task + "/complete", Map.of("value", user.word("answer")))
                        .status());
        api.list(tasks);
    }

    private static String project(TestUser user) {
        return user.api().project(user.word("name"));
    }

    private static void file(TestUser user) {
        String bytes = Base64.getEncoder().encodeToString(user.word("bytes").getBytes(StandardCharsets.UTF_8));
        var parts = List.of(
                Map.of("kind", "text", "text", "!say thanks"),
                Map.of("kind", "file", "name", user.word("file"), "mimeType", "text/plain", "data", bytes));
        assertEquals(
                200,
                user.api().turn(user.word("web:file"), Map.of("parts", parts)).status());
    }

    private static void link(TestUser user) {
        var database = instance.beans().getBean(Database.class);
        database.in(
                Tenant.of(Caller.DEFAULT_HOST),
                transaction -> transaction.update(
                        """
                        INSERT INTO channels.channel_link_t (host_id, link_id, bot, channel_user, name, user_id, code_sha256)
                        VALUES (?, ?, 'telegram', ?, ?, ?, sha256('secret-code'::bytea))
                        """,
                        Caller.DEFAULT_HOST,
                        UUID.randomUUID(),
                        user.word("number"),
                        user.word("link"),
                        UUID.fromString(user.id())));
    }

    // ---- exports

    private static <T> HttpResponse<T> requestExport(Api api, HttpResponse.BodyHandler<T> handler) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(api.url() + "/v1/me/export"))
                        .header("Authorization", "Bearer " + api.key())
                        .build(),
                handler);
    }

    /** All entries, by name, as text. */
    private static Map<String, String> export(Api api) throws Exception {
        Path file = Files.createTempFile(folder, "export", ".zip");
        HttpResponse<Path> response = requestExport(api, BodyHandlers.ofFile(file));
        assertEquals(200, response.statusCode(), () -> text(file));
        assertTrue(
                response.headers().firstValue("Content-Disposition").orElse("").contains("attachment"));
        return entries(file);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Map<String, String> entries(Path file) throws IOException {
        var entries = new TreeMap<String, String>();
        try (var zip = new ZipFile(file.toFile())) {
            for (var entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    entries.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return entries;
    }

    @Test
    @Tag("X2")
    @Tag("B269")
    void exportHasAllDataOfTheUserAndNoneOfOthers() throws Exception {
        // Given
        TestUser ann = createUser("ann");
        TestUser bob = createUser("bob");
        var secrets = List.of(createData(ann), createData(bob));

        // When
        var exports = Map.of(ann, export(ann.api()), bob, export(new Api(instance.url(), secrets.get(1))));

        // Then
        exports.forEach((user, entries) -> {
            String exported = entries.toString();
            for (String kind :
                    ("mail preference message reply output second-epoch archived bytes file number link strange"
                                    + " project name key process answer opinion")
                            .split(" ")) {
                assertTrue(exported.contains(user.word(kind)), user.word(kind));
            }
            TestUser other = user.equals(ann) ? bob : ann;
            assertFalse(exported.contains("of-" + other.name()), "nothing of " + other.name());
            assertFalse(exported.contains("secret"), "no password, code or key");
            assertFalse(exported.contains(user.api().key()), "no token");
            assertFalse(exported.contains("$2"), "no hash of a password");
            secrets.forEach(secret -> assertFalse(exported.contains(secret), "no key"));
        });
        assertEntries(exports.get(ann));
        Awaitility.await()
                .until(() -> admin.get("/v1/audit?user=" + ann.id()).text().contains("\"export\""));
    }

    private static void assertEntries(Map<String, String> entries) throws IOException {
        JsonNode manifest = JSON.readTree(entries.get("manifest.json"));
        assertEquals(1, manifest.path("format").asInt());
        assertEquals(List.of(), JSON.convertValue(manifest.path("absent"), List.class));
        assertEquals(6, manifest.path("counts").path("sessions").asInt(), manifest.toString());
        assertEquals(1, manifest.path("counts").path("files").asInt(), manifest.toString());
        JsonNode account = JSON.readTree(entries.get("account.json"));
        assertEquals("ann", account.path("person").path("username").asText());
        assertEquals(2, account.path("memberships").size());
        assertEquals("4711", account.path("credentials").path(0).path("last4").asText());
        assertTrue(account.path("signIns").size() > 0 && account.path("apiKeys").size() == 1, account.toString());
        assertEquals(
                "user", JSON.readTree(entries.get("usage.json")).path("scope").asText());
        String epochs = entries.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("sessions/default/web_same-of-ann~"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        assertEquals(
                List.of("web:same-of-ann", "web:same-of-ann"),
                epochs.lines()
                        .filter(line -> line.startsWith("{\"session\""))
                        .map(PersonalDataIT::key)
                        .toList());
        assertTrue(
                entries.keySet().stream().allMatch(name -> name.matches("[a-z0-9_~./-]+") && !name.contains("..")),
                entries.keySet().toString());
    }

    private static String key(String line) {
        return Api.json(line).path("session").path("key").asText();
    }

    @Test
    void rejectsExportByALimitedKey() throws Exception {
        // Given
        TestUser cleo = createUser("cleo");
        String project = project(cleo);

        // Then
        for (var limit : List.of(
                Map.of("name", "a", "permissions", List.of("session.read")), Map.of("name", "b", "project", project))) {
            String key =
                    cleo.api().post("/v1/api-keys", limit).json().path("apiKey").asText();
            assertEquals(
                    403,
                    requestExport(new Api(instance.url(), key), BodyHandlers.ofString())
                            .statusCode());
        }
    }

    @Test
    void omitsSessionsThatTheUserMayNoLongerRead() throws Exception {
        // Given
        TestUser owner = createUser("owner");
        TestUser guest = createUser("guest");
        String project = project(owner);
        String members = "/v1/projects/" + project + "/members";
        owner.api().post(members, Map.of("user", guest.id(), "role", "member"));
        guest.api().turn("/v1/projects/" + project + "/sessions/web:left", Map.of("text", "!say of-the-project"));
        guest.api().say("web:deleted", "!say was-deleted");
        guest.api().delete("/v1/sessions/web:deleted");
        Awaitility.await()
                .until(() -> guest.api().get("/v1/sessions/web:deleted").status() == 404);
        assertTrue(export(guest.api()).toString().contains("of-the-project"));

        // When
        assertEquals(204, owner.api().delete(members + "/" + guest.id()).status());
        var entries = export(guest.api());

        // Then
        assertFalse(entries.toString().contains("of-the-project"));
        entries.keySet().removeIf(name -> name.startsWith("memory/default/")); // memory keeps facts of deleted sessions
        assertFalse(entries.toString().contains("was-deleted"));
        JsonNode counts = JSON.readTree(entries.get("manifest.json")).path("counts");
        assertEquals(1, counts.path("sessionsOfProjectsLeftOut").asInt(), counts.toString());
        assertEquals(1, counts.path("deletedSessionsLeftOut").asInt(), counts.toString());
    }

    @Test
    void rejectsASecondConcurrentExport() throws Exception {
        // Given more data than buffers hold
        TestUser dan = createUser("dan");
        for (String name : List.of("a", "b")) {
            dan.api()
                    .say(
                            "web:large",
                            "!call make {\"files\":[{\"name\":\"%s\",\"size\":%d}]}\n!then\n!say done"
                                    .formatted(name, 18_000_000 + name.charAt(0)));
        }

        Awaitility.await() // the views lag behind
                .until(() -> dan.api().list("/v1/sessions/web:large/turns").stream()
                                .filter(turn -> turn.hasNonNull("completedAt"))
                                .count()
                        == 2);

        // When
        HttpResponse<InputStream> first = requestExport(dan.api(), BodyHandlers.ofInputStream());
        HttpResponse<String> second = requestExport(dan.api(), BodyHandlers.ofString());

        // Then
        assertEquals(200, first.statusCode());
        assertEquals(409, second.statusCode(), second.body());
        assertTrue(second.body().contains("export_running"), second.body());
        assertEquals(
                200,
                requestExport(createUser("eve").api(), BodyHandlers.discarding())
                        .statusCode());
        first.body().close();
        Awaitility.await()
                .until(() -> requestExport(dan.api(), BodyHandlers.discarding()).statusCode() == 200);
    }

    @Test
    void exportsByCommandLineUntilTheUserIsErased() throws Exception {
        // Given
        TestUser fay = createUser("fay");
        fay.api().say("web:fay", "!say " + fay.word("reply"));
        Awaitility.await()
                .until(() ->
                        fay.api().get("/v1/sessions/web:fay/messages").text().contains("\"" + fay.word("reply")));
        Path file = folder.resolve("fay.zip");

        // When
        assertEquals(0, run(fay.api(), file));
        assertEquals(1, run(fay.api(), file), "it is there already");

        // Then
        assertTrue(entries(file).toString().contains(fay.word("reply")));
        assertEquals(
                202, admin.post("/v1/users/" + fay.id() + "/erase", Map.of()).status());
        Awaitility.await()
                .until(() -> requestExport(fay.api(), BodyHandlers.discarding()).statusCode() == 401);
        assertEquals(1, run(fay.api(), folder.resolve("none.zip")));
        assertFalse(Files.exists(folder.resolve("none.zip")));
    }

    private static int run(Api api, Path file) {
        return Parley.commandLine(
                        Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()), Program.installed())
                .execute("export", "--me", "-o", file.toString(), "--url", api.url(), "--key", api.key());
    }
}
