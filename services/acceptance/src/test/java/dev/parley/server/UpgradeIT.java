package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.ReleasedTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * This build continues from the data of a release: topics, changelogs, offsets and tables of a process killed in turns
 * are in {@code src/test/resources/releases/{version}}; {@code -Dparley.release={version}} writes them before it.
 */
class UpgradeIT {
    private static final Path RELEASES = Path.of("src/test/resources/releases");
    private static final String RELEASE = "parley.release";
    private static final int PARTITIONS = 2;
    private static final String FILE = "a file's bytes";
    private static final Map<String, String> ANN = Map.of("username", "ann", "password", "correct horse");
    private static final List<String> NOTES =
            List.of("Alice feeds the zebra.", "Bob repairs bicycles in Bergen.", "Carla plays the cello.");

    @TempDir
    Path folder;

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
                agents:
                  - name: default
                  - { name: helper, mode: subagent }
                permissions:
                  - { tool: echo, action: ask }
                """);
    }

    static Stream<Path> releases() throws IOException {
        try (Stream<Path> paths = Files.list(RELEASES)) {
            return paths.filter(Files::isDirectory).sorted().toList().stream();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = RELEASE, matches = "\\d+\\.\\d+\\.\\d+")
    void recordsTheDataOfThisBuild() throws Exception {
        Path release = RELEASES.resolve(System.getProperty(RELEASE));
        assertFalse(Files.exists(release), "what was released stays as it is");
        try (var servers = new Servers(folder)) {
            try (ParleyProcess process = ParleyProcess.start(
                    folder.resolve("one"), servers.environment("one", PARTITIONS), List.of("run"))) {
                createData(process.api());
                process.kill();
            }
            ReleasedTopics.write(servers.clients(), release.resolve("topics"));
            try (var superuser = servers.superuser()) {
                ReleasedTables.write(superuser, release.resolve("tables"));
            }
            copy(folder.resolve("blobs"), release.resolve("blobs"));
            Files.writeString(release.resolve("killed-at.txt"), Instant.now() + "\n");
            Files.write(release.resolve(ReleasesTest.FROZEN), ReleasesTest.frozen());
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    @Tag("K20")
    void turnsOfAnOlderReleaseEndInThisBuild(Path release) throws Exception {
        try (var servers = new Servers(folder)) {
            // Given
            load(release, servers);

            // When
            var environment = servers.environment("two", PARTITIONS);
            environment.put("PARLEY_UNSIGNED", "accept"); // the release signed nothing
            try (Instance instance = Instances.start(environment)) {
                var admin = Api.of(instance);

                // Then
                assertUnderWayHasEnded(admin);
                assertKnown(admin);
                assertEquals(
                        "on", admin.say("web:memory", "!say on").path("reply").asText());
                assertTrue(
                        admin.list("/v1/dead-letters").isEmpty(),
                        admin.get("/v1/dead-letters").text());
            }
        }
    }

    // ---- before

    /** Creates data and turns, some of which are still running on return. */
    private static void createData(Api admin) {
        Api ann = ann(admin);
        assertEquals(
                201,
                ann.post("/v1/credentials", Map.of("provider", "openai", "apiKey", "sk-a-key-of-ann-4711"))
                        .status());
        admin.say("web:memory", "my name is Ada");
        admin.say(
                "web:memory",
                "!call todo_write {\"todos\":[{\"content\":\"Sow\",\"activeForm\":\"Sowing\",\"status\":\"in_progress\"}]}");
        String bytes = Base64.getEncoder().encodeToString(FILE.getBytes(StandardCharsets.UTF_8));
        var parts = List.of(
                Map.of("kind", "text", "text", "!say thanks"),
                Map.of("kind", "file", "name", "notes.txt", "mimeType", "text/plain", "data", bytes));
        assertEquals(200, admin.turn("web:file", Map.of("parts", parts)).status());
        admin.create(
                "/v1/projects/default/skills",
                Map.of("name", "plan-beds", "description", "plans beds", "text", "# How to"));
        admin.create(
                "/v1/projects/default/agents",
                Map.of(
                        "name", "gardener",
                        "model", "scripted/small",
                        "prompt", "You grow things.",
                        "skills", List.of(Map.of("name", "plan-beds"))));
        admin.create("/v1/projects/default/permissions", Map.of("tool", "file_write", "action", "allow"));
        admin.say("web:memory", "!call file_write {\"path\":\"/beds.md\",\"content\":\"peas\"}");

        submit(admin, "web:approval", "!call echo {\"text\":\"asked before\"}");
        Awaitility.await().until(() -> !admin.list("/v1/approvals").isEmpty());
        submit(admin, "web:model", "!delay 4s\n!say late");
        submit(admin, "web:model", "!say after it");
        submit(admin, "web:child", "!delegate helper !delay 4s");
        Awaitility.await()
                .until(() -> !admin.list("/v1/sessions/web:child/turns").isEmpty());
        for (String note : NOTES) {
            retain(admin, note);
        }
    }

    private static Api ann(Api admin) {
        admin.post("/v1/auth/register", ANN); // ignored if she is registered
        var login = new Api(admin.url(), "none").post("/v1/auth/login", ANN);
        assertEquals(200, login.status(), login.text());
        return new Api(admin.url(), login.json().path("token").asText());
    }

    /** Submits a message for the first time or again; returns the turn's id. */
    private static String submit(Api api, String session, String text) {
        var answer = api.submit(session, text, text.replace("\n", " "));
        assertTrue(answer.status() < 300, answer.text());
        return answer.json().path("id").asText();
    }

    private static void retain(Api admin, String note) {
        var answer =
                admin.post(bank(admin) + "/docs", Map.of("id", note, "text", note), Map.of("Idempotency-Key", note));
        assertEquals(202, answer.status(), answer.text());
    }

    private static String bank(Api admin) {
        var bank = admin.post("/v1/banks", Map.of("scope", "agent", "agent", "default"));
        assertTrue(bank.status() < 300, bank.text());
        return "/v1/banks/" + bank.json().path("id").asText();
    }

    // ---- after

    private static void assertUnderWayHasEnded(Api admin) {
        String lateTurn = submit(admin, "web:model", "!delay 4s\n!say late");
        assertEquals("late", awaitReply(admin, lateTurn));
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        List.of("late", "after it"),
                        admin.list("/v1/sessions/web:model/turns").stream()
                                .map(turn -> turn.path("reply").asText())
                                .toList()));
        JsonNode pending = admin.list("/v1/approvals").getFirst();
        assertEquals(
                202,
                admin.post(
                                "/v1/sessions/web:approval/approvals/"
                                        + pending.path("id").asText(),
                                Map.of("answer", "once"))
                        .status());
        String approval = submit(admin, "web:approval", "!call echo {\"text\":\"asked before\"}");
        assertTrue(awaitReply(admin, approval).contains("asked before"));
        awaitReply(admin, submit(admin, "web:child", "!delegate helper !delay 4s"));
        assertEquals(1, admin.list("/v1/sessions/web:child/turns").size());
        assertEquals(1, admin.list("/v1/sessions/web:approval/turns").size());
    }

    private static String awaitReply(Api api, String turn) {
        JsonNode completed = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> api.get("/v1/turns/" + turn).json(),
                        current -> List.of("COMPLETED", "FAILED", "CANCELLED")
                                .contains(current.path("state").asText()));
        assertEquals("COMPLETED", completed.path("state").asText(), completed.toString());
        return completed.path("reply").asText();
    }

    private static void assertKnown(Api admin) {
        String name = admin.say("web:memory", "what is my name?").path("reply").asText();
        assertTrue(name.contains("Ada"), name);
        assertEquals(
                "Sow",
                admin.list("/v1/sessions/web:memory/todos")
                        .getFirst()
                        .path("content")
                        .asText());
        String sha256 = admin.list("/v1/sessions/web:file/messages").stream()
                .flatMap(message -> message.path("parts").valueStream())
                .filter(part -> part.path("kind").asText().equals("file"))
                .findFirst()
                .orElseThrow()
                .path("sha256")
                .asText();
        assertEquals(FILE, admin.get("/v1/blobs/" + sha256).text());
        JsonNode agent = admin.get("/v1/projects/default/agents/gardener").json();
        assertEquals("You grow things.", agent.path("prompt").asText());
        assertEquals("plan-beds", agent.at("/skills/0/name").asText());
        assertEquals(
                "peas",
                admin.get("/v1/projects/default/files/content?path=/beds.md").text());
        admin.say("web:memory", "!call file_write {\"path\":\"/beds.md\",\"content\":\"beans\"}");
        assertEquals(
                "beans",
                admin.get("/v1/projects/default/files/content?path=/beds.md").text());
        assertEquals(1, ann(admin).list("/v1/credentials").size());
        String bank = bank(admin);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> admin.list(bank + "/units?type=world&fresh=true").stream()
                                .map(unit -> unit.path("text").asText())
                                .sorted()
                                .toList(),
                        NOTES::equals);
        retain(admin, NOTES.getFirst());
        assertEquals(NOTES.size(), admin.list(bank + "/docs?fresh=true").size());
    }

    private void load(Path release, Servers servers) throws Exception {
        var elapsed = Duration.between(
                Instant.parse(Files.readString(release.resolve("killed-at.txt")).strip()), Instant.now());
        ReleasedTopics.load(release.resolve("topics"), servers.clients(), elapsed);
        var database = servers.database();
        DataSource owner = Databases.single(database.owner());
        try (var superuser = servers.superuser()) {
            ReleasedTables.load(
                    release.resolve("tables"), superuser, owner, database.app().user(), elapsed);
        }
        copy(release.resolve("blobs"), folder.resolve("blobs"));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file));
                if (Files.isRegularFile(file)) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
    }
}
