package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.TurnCommand.ReviseTurn;
import dev.parley.platform.database.Databases;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.server.Api.Account;
import dev.parley.sessions.projection.SessionViewsReplay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches all tables, topics and files for erased texts. */
class ErasureIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Topics that keep all records for a limited time; receipts state until when. */
    private static final Set<String> FOR_A_TIME = Set.of(
            "turn-commands",
            "model-requests",
            "tool-requests",
            "results",
            "replies",
            "turn-deltas",
            "outcomes",
            "memory-commands",
            "recall-requests",
            "embed-requests");

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Leaks leaks;
    private static Instance instance;
    private static Api admin;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
                agents:
                  - { name: default, options: { memory: user } }
                  - name: researcher
                    mode: subagent
                """);
        servers = new Servers(folder);
        leaks = new Leaks(servers);
        instance = servers.start("one");
        admin = Api.of(instance);
        person("first", "first@x.org"); // the first user is administrator
        var followed = admin.send(
                "PUT",
                "/v1/projects/default/settings",
                Map.of("projectChanges", true),
                Map.of("If-Match", admin.get("/v1/projects/default").etag()));
        assertEquals(200, followed.status(), followed.text());
    }

    @AfterAll
    static void stop() {
        leaks.close();
        instance.close();
        servers.close();
    }

    private static Account person(String name, String email) {
        return admin.register(Map.of("username", name, "password", "correct horse", "email", email));
    }

    /** A conversation with the word in messages, files and other data. */
    private static void talk(Api api, String session, String word) {
        api.say(session, "my secret is " + word);
        var answer = api.turn(session, Map.of("parts", List.of(file(word))));
        assertEquals(200, answer.status(), answer.text());
        api.say(session, "!call echo {\"text\":\"" + word + "\"}");
        api.say(session, "!call send_file {\"name\":\"" + word + ".csv\",\"content\":\"" + word + "\"}");
        api.say(session, "!delegate researcher !say I looked for " + word);
    }

    private static Map<String, String> file(String word) {
        return Map.of(
                "kind",
                "file",
                "name",
                word + ".txt",
                "mimeType",
                "text/plain",
                "data",
                Base64.getEncoder().encodeToString(("a file about " + word).getBytes(StandardCharsets.UTF_8)));
    }

    private static JsonNode awaitReceipt(String erasure) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> {
                            ageFiles();
                            return admin.get("/v1/erasures/" + erasure).json();
                        },
                        receipt -> receipt.path("state").asText().equals("done"));
    }

    /** Sets the age of the files to one hour. */
    private static void ageFiles() throws IOException {
        var hourAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        try (var files = Files.walk(folder.resolve("blobs"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, hourAgo);
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            // a file has been erased meanwhile; the next call sets the others
        }
    }

    private static List<Path> filesWith(String word) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("blobs"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> {
                        try {
                            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).contains(word);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .toList();
        }
    }

    /** Compacts topics at once instead of within a day. */
    private static void compactAtOnce() throws Exception {
        try (var clients = servers.clients().admin("compaction")) {
            var changes = Map.of("segment.ms", "100", "min.cleanable.dirty.ratio", "0.0", "max.compaction.lag.ms", "1");
            for (String topic : clients.listTopics().names().get()) {
                if (topic.equals("turn-events")
                        || topic.equals("memory-events")
                        || topic.endsWith("-changelog")
                        || topic.equals("access")
                        || topic.equals("project-changes")) {
                    clients.incrementalAlterConfigs(Map.of(
                                    new ConfigResource(ConfigResource.Type.TOPIC, topic),
                                    changes.entrySet().stream()
                                            .map(change -> new AlterConfigOp(
                                                    new ConfigEntry(change.getKey(), change.getValue()),
                                                    AlterConfigOp.OpType.SET))
                                            .toList()))
                            .all()
                            .get();
                }
            }
        }
    }

    @Test
    @Tag("O10")
    @Tag("I46")
    void erasedSessionIsInNoTableFileOrCompactedTopic() throws Exception {
        // Given
        String word = "wombat5117";
        Account ann = person("ann", "ann@x.org");
        talk(ann.api(), "web:ann", word);
        ann.api().say("web:other", "this one stays");
        assertFalse(leaks.tables(word).isEmpty());
        assertEquals(2, filesWith(word).size());
        Awaitility.await().atMost(SOON).until(() -> leaks.topics(word).contains("project-changes"));

        // When
        var response = ann.api().post("/v1/sessions/web:ann/erase", Map.of());
        String erasure = response.json().get("erasure").asText();

        // Then
        assertEquals(202, response.status(), response.text());
        JsonNode receipt = awaitReceipt(erasure);
        assertEquals(404, ann.api().get("/v1/sessions/web:ann").status());
        assertEquals(List.of(), leaks.tables(word));
        assertEquals(List.of(), filesWith(word));
        assertEquals(2, receipt.get("sessions").asInt(), "with that of its delegate");
        assertEquals(2, receipt.get("files").asInt(), receipt.toString());
        assertTrue(Instant.parse(receipt.get("logCleanBy").asText()).isAfter(Instant.now()));
        assertEquals(200, ann.api().get("/v1/erasures/" + erasure).status());
        assertEquals(
                404,
                person("bob", "bob@x.org").api().get("/v1/erasures/" + erasure).status());

        // When the views are rebuilt from the log
        var clients = servers.clients();
        var replayed =
                new SessionViewsReplay(Databases.single(servers.database().owner()), clients, Topics.TURN_EVENTS).run();

        // Then
        assertTrue(replayed.isEqual(), replayed.toString());
        assertEquals(List.of(), leaks.tables(word));

        // When the log is compacted
        compactAtOnce();

        // Then
        var attempts = new AtomicInteger();
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(2))
                .untilAsserted(() -> {
                    ann.api().say("web:other" + attempts.incrementAndGet(), "this begins another segment");
                    assertEquals(
                            List.of(),
                            leaks.topics(word).stream()
                                    .filter(topic -> !FOR_A_TIME.contains(topic))
                                    .toList());
                });
        assertEquals(200, ann.api().get("/v1/sessions/web:other").status());
        JsonNode anew = ann.api().say("web:ann", "what is my secret?");
        assertFalse(anew.toString().contains(word), anew.toString());
    }

    @Test
    @Tag("O10")
    void erasesAFileOfAReplacedMessage() throws Exception {
        // Given a message with a file that is replaced, as by an edit in a chat, during another turn
        String word = "bilby6024";
        Account kim = person("kim", "kim@x.org");
        String turns = "/v1/sessions/web:kim/turns";
        kim.api().post(turns, Map.of("text", "!stream 60s"));
        var waiting = kim.api().post(turns, Map.of("parts", List.of(file(word))));
        assertEquals(202, waiting.status(), waiting.text());
        UUID turn = UUID.fromString(waiting.json().get("id").asText());
        var key = RecordKey.of("web:kim");
        var meta = new CommandMeta(UUID.randomUUID(), Ids.of("host", "default"), Instant.now(), kim.id(), null, null);
        try (var producer = servers.signingClients().producer("edit")) {
            var edit = new ReviseTurn(meta, turn, List.of(Block.text("I meant nothing")));
            producer.send(RecordCodec.record(Topics.TURN_COMMANDS, key.toString(), edit, meta.commandId(), null))
                    .get(30, TimeUnit.SECONDS);
        }
        Awaitility.await()
                .until(() -> kim.api()
                        .get("/v1/sessions/web:kim/turns/" + turn)
                        .text()
                        .contains("I meant nothing"));
        assertEquals(1, filesWith(word).size());

        // When
        var response = kim.api().post("/v1/sessions/web:kim/erase", Map.of());

        // Then
        JsonNode receipt = awaitReceipt(response.json().get("erasure").asText());
        assertEquals(1, receipt.get("files").asInt(), receipt.toString());
        assertEquals(List.of(), filesWith(word));
    }

    @Test
    @Tag("O10")
    void erasedUserIsInNoTableOrFile() throws Exception {
        // Given
        String word = "numbat8843";
        Account eve = person(word, word + "@x.org");
        talk(eve.api(), "web:eve", word);
        eve.api().patch("/v1/me", Map.of("avatarUrl", "https://x.org/" + word));
        eve.api().post("/v1/api-keys", Map.of("name", word));
        eve.api().post("/v1/credentials", Map.of("provider", "openai", "name", word, "apiKey", "sk-" + word));
        assertEquals(
                401,
                admin.post("/v1/auth/login", Map.of("username", word, "password", "wrong"))
                        .status());

        assertFalse(leaks.tables(word).isEmpty());

        // When
        var response = admin.post("/v1/users/" + eve.id() + "/erase", Map.of());

        // Then
        assertEquals(202, response.status(), response.text());
        assertEquals(401, eve.api().get("/v1/me").status());
        awaitReceipt(response.json().get("erasure").asText());
        assertEquals(List.of(), leaks.tables(word));
        assertEquals(List.of(), filesWith(word));
        assertEquals(404, admin.get("/v1/users/" + eve.id()).status());
        assertFalse(leaks.topics(word).isEmpty(), "the log is compacted later");
    }

    private static String bank(Api api, String scope) {
        var opened = api.post("/v1/banks", Map.of("scope", scope, "agent", "keeper"));
        assertTrue(opened.status() == 200 || opened.status() == 201, opened.text());
        return "/v1/banks/" + opened.json().path("id").asText();
    }

    private static List<String> memoryTables(String word) throws Exception {
        return leaks.tables(word).stream()
                .filter(table -> table.startsWith("memory."))
                .toList();
    }

    @Test
    @Tag("M1")
    @Tag("M4")
    void deletingAnAgentErasesItsBanksAndANewOneStartsEmpty() throws Exception {
        // Given an agent with its own bank, a branch of it, and a bank shared with a user
        String word = "potoroo3371";
        String agents = "/v1/projects/default/agents";
        var keeper = Map.of("name", "keeper", "model", "scripted/model-1", "options", Map.of("memory", "agent"));
        assertEquals(201, admin.post(agents, keeper).status());
        Account max = person("max", "max@x.org");
        String turns = "/v1/sessions/web:max/turns?wait=60s";
        max.api().post(turns, Map.of("agent", "keeper", "text", "Carla keeps a " + word + " in Ghent."));
        String bank = bank(admin, "agent");
        assertEquals(
                202, admin.post(bank + "/branches", Map.of("name", "what-if")).status());
        String withMax = bank(max.api(), "user_agent");
        max.api().post(withMax + "/docs?wait=60s", Map.of("text", "Max is afraid of a " + word + "."));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> max.api()
                        .post(bank + "/recall", Map.of("query", word))
                        .text()
                        .contains("Ghent"));
        assertTrue(memoryTables(word).contains("memory.agent_memory_unit_t"));
        UUID id = UUID.fromString(admin.get(bank).json().path("agentId").asText());

        // When it is deleted, and one of the same name is created at once
        assertEquals(204, admin.delete(agents + "/keeper").status());
        assertEquals(201, admin.post(agents, keeper).status());

        // Then
        assertEquals(404, admin.get(bank).status());
        assertEquals(
                404, max.api().post(withMax + "/recall", Map.of("query", word)).status());
        String another = bank(admin, "agent");
        assertNotEquals(bank, another);
        var recalled = max.api().post(another + "/recall", Map.of("query", word));
        assertTrue(recalled.json().path("memories").isEmpty(), recalled.text());
        JsonNode receipt = awaitReceipt(AgentGone.erasure(id).toString());
        assertEquals("agent", receipt.path("kind").asText());
        assertEquals("default/keeper", receipt.path("subject").asText());
        assertEquals(List.of(), memoryTables(word));

        // When a command for the deleted agent arrives late
        var dead = new BankRef(Ids.of("host", "default"), "default", "keeper", id, null, null);
        var meta = new CommandMeta(UUID.randomUUID(), dead.host(), Instant.now(), null, null, null);
        var retain = new Retain(
                meta,
                dead,
                UUID.randomUUID(),
                null,
                null,
                null,
                List.of(new Utterance(Role.USER, null, "A late " + word + ".")),
                null,
                List.of(),
                Instant.now(),
                null);
        long before = version(dead);
        try (var producer = servers.signingClients().producer("late")) {
            producer.send(RecordCodec.record(
                            Topics.MEMORY_COMMANDS, dead.key().toString(), retain, meta.commandId(), null))
                    .get(30, TimeUnit.SECONDS);
        }

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> version(dead) > before && memoryTables(word).isEmpty());
    }

    /** The version of a bank in the tables. */
    private static long version(BankRef bank) throws SQLException, IOException {
        try (var connection = servers.superuser();
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT aggregate_version FROM memory.agent_memory_bank_t WHERE bank_id = '%s'"
                                .formatted(bank.id()))) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    @Test
    @Tag("O10")
    void erasedProjectIsInNoTableOrArchiveAndRejectsTurns() throws Exception {
        // Given
        String word = "quokka2291";
        Account owner = person("owner", "owner@x.org");
        String project = owner.api()
                .create("/v1/projects", Map.of("name", word, "externalKey", word))
                .json()
                .path("key")
                .asText();
        String sessions = "/v1/projects/" + project + "/sessions/";
        var turn = owner.api().turn(sessions + "web:1", Map.of("text", "my secret is " + word));
        assertEquals(200, turn.status(), turn.text());
        String file = "/v1/projects/" + project + "/files/content?path=/" + word;
        assertEquals(
                201,
                owner.api().send("PUT", file, Map.of("secret", word), Map.of()).status());
        assertEquals(
                201,
                owner.api()
                        .post("/v1/projects/" + project + "/snapshots", Map.of())
                        .status());
        Path archives = folder.resolve("blobs")
                .resolve("archives")
                .resolve("exports-" + Ids.of("host", "default"))
                .resolve(project);
        String export = owner.api()
                .post("/v1/projects/" + project + "/exports", Map.of())
                .json()
                .get("id")
                .asText();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> owner.api()
                        .get("/v1/projects/" + project + "/exports/" + export)
                        .text()
                        .contains("done"));
        byte[] archive = Files.readAllBytes(archives.resolve(export + ".zip"));

        // When
        var response = owner.api().post("/v1/projects/" + project + "/erase", Map.of());

        // Then
        assertEquals(202, response.status(), response.text());
        assertEquals(404, owner.api().get(sessions + "web:1").status());
        assertEquals(
                404,
                owner.api().post(sessions + "web:1/turns", Map.of("text", "x")).status());
        JsonNode receipt = awaitReceipt(response.json().get("erasure").asText());
        assertEquals(1, receipt.get("sessions").asInt());
        assertEquals(List.of(), leaks.tables(word));
        try (var remaining = Files.list(archives)) {
            assertEquals(List.of(), remaining.toList(), "its exports");
        }
        assertEquals(409, admin.post("/v1/projects/default/erase", Map.of()).status());

        // When it is imported again, and another project is created with its external key
        JsonNode refused = importArchive(archive, project);
        var another = owner.api().post("/v1/projects", Map.of("name", "another", "externalKey", word));

        // Then its key is not reused
        assertEquals("failed", refused.path("state").asText(), refused.toString());
        assertEquals("project_exists", refused.path("code").asText(), refused.toString());
        assertEquals(404, admin.get("/v1/projects/" + project).status());
        assertEquals(201, another.status(), another.text());
        assertNotEquals(project, another.json().get("key").asText());
    }

    /** Imports an archive as the project of this key; returns the import when it has ended. */
    private static JsonNode importArchive(byte[] archive, String key) throws Exception {
        String imports = "/v1/projects/imports/";
        String id =
                admin.post("/v1/projects/imports", Map.of()).json().path("id").asText();
        var part = HttpRequest.newBuilder(URI.create(admin.url() + imports + id + "?from=0"))
                .header("Authorization", "Bearer " + admin.key())
                .header("Content-Type", "application/octet-stream")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(archive))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            assertEquals(
                    200, http.send(part, HttpResponse.BodyHandlers.discarding()).statusCode());
        }
        var started = admin.post(imports + id + "/start?as=" + key, Map.of());
        assertEquals(202, started.status(), started.text());
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> admin.get(imports + id).json(),
                        job -> !job.path("state").asText().equals("running"));
    }
}
