package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A restored installation continues from the state of its backup. */
@DisabledIfSystemProperty(
        named = "parley.containers",
        matches = "true",
        disabledReason = "copies the folder of embedded servers")
class BackupIT {
    private static final String FILE = "a file's bytes";
    private static final Map<String, String> ANN = Map.of("username", "ann", "password", "correct horse");
    private static final List<String> VIEWS = List.of(
            "agent_session_t",
            "agent_turn_t",
            "agent_message_t",
            "agent_message_part_t",
            "tool_call_t",
            "model_call_t",
            "session_event_t",
            "session_file_t",
            "turn_feedback_t",
            "handoff_t",
            "agent_session_history_t",
            "session_slug_t");

    @TempDir
    Path folder;

    /** State that the API returns. */
    private record ApiState(JsonNode sealing, JsonNode credentials, JsonNode projects, String file) {
        static ApiState at(Api admin, Api ann, String sha256) {
            return new ApiState(
                    admin.get("/v1/credentials/sealing").json(),
                    ann.get("/v1/credentials").json(),
                    ann.get("/v1/projects").json(),
                    ann.get("/v1/blobs/" + sha256).text());
        }
    }

    @Test
    @Tag("I116")
    void restoredInstallationContinuesFromItsBackup() throws Exception {
        // Given
        Path data = folder.resolve("the data");
        Path restored = folder.resolve("another folder/data");
        Path archive = folder.resolve("parley 10:00.tar.gz");
        Stored before;
        ApiState apiState;
        String duplicate;
        String sha256;
        try (Instance instance = Instances.start(data)) {
            Api admin = Api.of(instance);
            Api ann = ann(instance);
            sha256 = talk(ann);
            duplicate = submit(ann);
            awaitViews(instance);
            apiState = ApiState.at(admin, ann, sha256);
            before = Stored.of(instance.beans().getBean(Database.class), events(instance));
        }

        // When
        BackupScriptsTest.run(0, "backup.sh", data.toString(), archive.toString());
        BackupScriptsTest.run(0, "restore.sh", archive.toString(), restored.toString());

        // Then
        Stored atRest = atRest(restored, before.events());
        assertEquals(before, atRest);
        assertTrue(atRest.offsets().values().stream().anyMatch(offset -> Long.parseLong(offset) > 0), "it has begun");
        try (Instance instance = Instances.start(restored)) {
            Api ann = signIn(instance);
            awaitViews(instance);
            assertEquals(before, Stored.of(instance.beans().getBean(Database.class), events(instance)), "it started");
            assertEquals(0, projected(instance), "no event came twice");
            assertEquals(apiState, ApiState.at(Api.of(instance), ann, sha256));
            assertEquals(FILE, apiState.file());
            assertEquals(duplicate, submit(ann), "the same message is the same turn");
            assertEquals(3, ann.list("/v1/sessions/web:memory/turns").size());
            assertContinues(instance, ann);
        }
    }

    private static Api ann(Instance instance) {
        Api admin = Api.of(instance);
        assertEquals(201, admin.post("/v1/auth/register", ANN).status());
        Api ann = signIn(instance);
        assertEquals(201, ann.post("/v1/projects", Map.of("name", "Ann's")).status());
        var key = Map.of("provider", "openai", "apiKey", "sk-a-key-of-ann-4711");
        assertEquals(201, ann.post("/v1/credentials", key).status());
        return ann;
    }

    private static Api signIn(Instance instance) {
        var login = new Api(instance.url(), "none").post("/v1/auth/login", ANN);
        assertEquals(200, login.status(), login.text());
        return new Api(instance.url(), login.json().path("token").asText());
    }

    /** @return the SHA-256 of the file that was sent */
    private static String talk(Api ann) {
        ann.say("web:memory", "my name is Ada");
        ann.say("web:memory", "!call echo {\"text\":\"from a tool\"}\n!then\n!say done");
        ann.say("web:other", "!say something else");
        String bytes = Base64.getEncoder().encodeToString(FILE.getBytes(StandardCharsets.UTF_8));
        var parts = List.of(
                Map.of("kind", "text", "text", "!say thanks"),
                Map.of("kind", "file", "name", "notes.txt", "mimeType", "text/plain", "data", bytes));
        var answer = ann.turn("web:file", Map.of("parts", parts));
        assertEquals(200, answer.status(), answer.text());
        return Awaitility.await("a message names the file")
                .until(
                        () -> ann.list("/v1/sessions/web:file/messages").stream()
                                .flatMap(message -> message.path("parts").valueStream())
                                .filter(part -> part.path("kind").asText().equals("file"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow()
                .path("sha256")
                .asText();
    }

    /** Submits the same message each time; returns the turn's id. */
    private static String submit(Api ann) {
        var answer = ann.submit("web:memory", "my dog is Rex", "the same message");
        assertTrue(answer.status() < 300, answer.text());
        String id = answer.json().path("id").asText();
        Awaitility.await()
                .until(() ->
                        ann.get("/v1/turns/" + id).json().path("state").asText().equals("COMPLETED"));
        return id;
    }

    private static void assertContinues(Instance instance, Api ann) {
        long offsets = sum(instance);
        JsonNode name = ann.say("web:memory", "what is my name?");
        assertTrue(name.path("reply").asText().contains("Ada"), name.toString());
        assertTrue(
                ann.say("web:memory", "what is my dog?").path("reply").asText().contains("Rex"));
        awaitViews(instance);
        assertTrue(sum(instance) > offsets, "the projector goes on from there");
        assertTrue(projected(instance) > 0);
        assertEquals(5, ann.list("/v1/sessions/web:memory/turns").size());
    }

    // ---- stored state

    /** Offsets of the views by partition, row count and digest of each table, and the number of events. */
    private record Stored(Map<String, String> offsets, Map<String, String> rows, long events) {
        static Stored of(Database database, long events) throws SQLException {
            try (Connection connection = database.reading(Tenant.ALL);
                    Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL TimeZone = 'UTC'");
                var rows = new TreeMap<String, String>();
                for (String view : VIEWS) {
                    rows.putAll(pairs(statement, """
                            SELECT '%1$s', count(*) || ' ' || coalesce(md5(string_agg(v::text, '|' ORDER BY v::text)), '')
                            FROM sessions.%1$s v""".formatted(view)));
                }
                return new Stored(
                        pairs(
                                statement,
                                "SELECT topic || partition, \"offset\"::text FROM sessions.projection_offset_t"),
                        rows,
                        events);
            }
        }
    }

    private static Map<String, String> pairs(Statement statement, String sql) throws SQLException {
        var found = new TreeMap<String, String>();
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                found.put(row.getString(1), row.getString(2));
            }
        }
        return found;
    }

    /** The stored state of a folder, with only the database started on it. */
    private static Stored atRest(Path folder, long events) throws SQLException {
        try (DataFolder data = DataFolder.open(folder);
                EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(data, 0)) {
            return Stored.of(Database.of(Databases.single(postgres.database().owner())), events);
        }
    }

    private static long sum(Instance instance) {
        return offsets(instance).values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<Integer, Long> offsets(Instance instance) {
        var database = instance.beans().getBean(Database.class);
        return database.in(
                Tenant.NONE,
                transaction -> transaction.query(
                        "SELECT partition, \"offset\" FROM sessions.projection_offset_t WHERE topic = ?",
                        row -> {
                            var found = new TreeMap<Integer, Long>();
                            while (row.next()) {
                                found.put(row.getInt(1), row.getLong(2));
                            }
                            return found;
                        },
                        Topics.TURN_EVENTS.name()));
    }

    /** Waits until the views have all events and nothing is in progress. */
    private static void awaitViews(Instance instance) {
        var topicEnds = instance.beans().getBean(TopicEnds.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .during(Duration.ofMillis(600))
                .until(() -> offsets(instance).equals(new TreeMap<>(topicEnds.now())));
    }

    private static long projected(Instance instance) {
        var meters = instance.beans().getBean(MeterRegistry.class);
        return (long) (meters.counter("parley_projected_events").count()
                + meters.counter("parley_projected_duplicates").count());
    }

    /** The number of events. */
    private static long events(Instance instance) {
        var clients = instance.beans().getBean(KafkaClients.class);
        try (var consumer = clients.consumer("count", null, Map.of())) {
            var partitions = KafkaClients.partitions(consumer, Topics.TURN_EVENTS);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var endOffsets = consumer.endOffsets(partitions);
            long events = 0;
            while (endOffsets.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                events += consumer.poll(Duration.ofMillis(200)).count();
            }
            return events;
        }
    }
}
