package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Databases;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.server.Api.Answer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Projects that share a process: locked rows of one block no other, and idle ones hold no resources. */
class NeighboursIT {
    private static final Duration HANGS = Duration.ofMinutes(3);
    private static final int MANY = 10_000;
    private static final int AT_ONCE = 40;

    @TempDir
    static Path folder;

    private static ParleyConfig config;
    private static Instance instance;
    private static Infrastructure infrastructure;
    private static Api api;

    @BeforeAll
    static void start() {
        config = ConfigReader.read(Instances.environment(folder.resolve("data")));
        instance = Instance.start(config);
        infrastructure = Infrastructure.of(config);
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        infrastructure.close();
        instance.close();
    }

    /** A connection of the owner of the tables, for all hosts. */
    private static Connection owner() throws SQLException {
        Connection connection = infrastructure.owner().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
        }
        return connection;
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (row.next()) {
                found.add(row.getString(1));
            }
            return found;
        }
    }

    private static JsonNode project(String name) {
        return api.create("/v1/projects", Map.of("name", name)).json();
    }

    private static void say(String project, String session, String text) {
        Answer turn = api.turn(project + "/sessions/" + session, Map.of("text", text));
        assertEquals("COMPLETED", turn.json().path("state").asText(), turn.text());
    }

    private static List<JsonNode> messages(String project, String session) {
        Answer found = api.get(project + "/sessions/" + session + "/messages");
        return found.status() == 200 ? Api.rows(found) : List.of(); // views lag behind
    }

    /** Whether the views show that a turn of a session has ended. */
    private static boolean hasEnded(String project, String session) {
        Answer found = api.get(project + "/sessions/" + session + "/turns");
        return found.status() == 200 && Api.rows(found).stream().anyMatch(turn -> turn.hasNonNull("completedAt"));
    }

    private static void assertDone(Answer answer) {
        assertEquals(2, answer.status() / 100, answer.text());
    }

    // ---- locks

    /** Locks all rows of a project, and inserts one more into some tables. */
    private static void lockRows(Connection connection, UUID project) throws SQLException {
        List<String> tables = texts(connection, """
                SELECT c.oid::regclass::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relkind = 'r' AND a.attname = 'project_id' AND NOT a.attisdropped ORDER BY 1""");
        assertTrue(tables.size() >= 14, tables.toString());
        int lockedRows = 0;
        for (String table : tables) {
            lockedRows += texts(
                            connection,
                            "SELECT '' FROM %s WHERE project_id = '%s' FOR UPDATE".formatted(table, project))
                    .size();
        }
        assertTrue(lockedRows >= 12, lockedRows + " rows");
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO sessions.session_slug_t (host_id, project_id, slug, base, n, session_id)
                    VALUES ('%1$s', '%2$s', 'hello-again', 'hello-again', 1, '%2$s')""".formatted(AccessDirectory.DEFAULT_HOST, project));
            statement.execute("""
                    INSERT INTO control.setting_t (host_id, name, value, update_user)
                    VALUES ('%s', 'budget/project/%s', '{}', 'test')""".formatted(AccessDirectory.DEFAULT_HOST, project));
        }
    }

    @Test
    @Tag("I113")
    void lockedRowsOfAProjectBlockNoOtherProject() throws SQLException {
        // Given two projects with sessions of the same names
        JsonNode busy = project("busy");
        JsonNode quiet = project("quiet");
        String path = "/v1/projects/" + quiet.get("key").asText();
        for (JsonNode project : List.of(busy, quiet)) {
            String sessions = "/v1/projects/" + project.get("key").asText();
            say(sessions, "web:1", "hello");
            Awaitility.await().until(() -> hasEnded(sessions, "web:1")); // its views are complete
        }

        try (Connection connection = owner()) {
            lockRows(connection, UUID.fromString(busy.get("id").asText()));

            // When the other project continues: in its session, in a new one, and with its own records
            assertTimeoutPreemptively(HANGS, () -> {
                say(path, "web:1", "hello again");
                say(path, "web:2", "hello again");
                Awaitility.await().until(() -> messages(path, "web:1").size() == 4);
                Awaitility.await().until(() -> messages(path, "web:2").size() == 2);
                assertEquals(
                        2,
                        api.list(path + "/search?q=again").stream()
                                .filter(hit -> hit.toString().contains("user"))
                                .count());
                assertDone(api.patch(path, Map.of("name", "Quiet"), Map.of("If-Match", "*")));
                assertDone(api.send("PUT", path + "/settings/budget", Map.of("amount", 1, "period", "day"), Map.of()));
                assertDone(api.post(
                        "/v1/api-keys",
                        Map.of("name", "k", "project", quiet.get("key").asText())));
            });

            // Then the locked rows can still be read
            String other = "/v1/projects/" + busy.get("key").asText();
            assertEquals(2, messages(other, "web:1").size());
            assertEquals(200, api.get(other).status());
            connection.rollback();
        }
    }

    // ---- idle projects

    /** Inserts many projects; returns their keys. */
    private static List<String> fill() throws SQLException {
        List<String> keys;
        try (Connection connection = owner();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO control.project_t (host_id, project_id, project_key, name, update_user)
                    SELECT '%s', md5('rest ' || i)::uuid, md5('rest ' || i)::uuid, 'Project ' || i, 'at rest'
                    FROM generate_series(1, %d) i""".formatted(AccessDirectory.DEFAULT_HOST, MANY));
            keys = texts(connection, "SELECT project_key FROM control.project_t WHERE update_user = 'at rest'");
            connection.commit();
        }
        var directory = instance.beans().getBean(AccessFollower.class);
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() ->
                        keys.stream().allMatch(key -> directory.project(key).isPresent()));
        return keys;
    }

    private static int connections() throws SQLException {
        try (Connection connection = owner()) {
            return texts(
                            connection,
                            "SELECT pid FROM pg_stat_activity WHERE usename = '%s'".formatted(infrastructure.appRole()))
                    .size();
        }
    }

    private static int topics() throws Exception {
        try (var admin = instance.beans().getBean(KafkaClients.class).admin("test")) {
            return admin.listTopics().names().get().size()
                    + admin.listGroups().all().get().size();
        }
    }

    @Test
    @Tag("I121")
    void idleProjectsHoldNoConnectionsTopicsOrThreads() throws Exception {
        // Given
        api.say("web:warm", "hello");
        int topics = topics();
        int threads = Thread.getAllStackTraces().size();

        // When many exist, and some of them are used for the first time at once
        List<String> keys = fill();
        assertEquals(MANY, keys.size());
        int maxConnections = 0;
        try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
            var turns = keys.subList(0, AT_ONCE).stream()
                    .map(key -> people.submit(() -> say("/v1/projects/" + key, "web:first", "hello")))
                    .toList();
            while (!turns.stream().allMatch(turn -> turn.isDone())) {
                maxConnections = Math.max(maxConnections, connections());
            }
            for (var turn : turns) {
                turn.get();
            }
        }

        // Then each is answered, and the process holds no more resources
        assertTrue(maxConnections > 0 && maxConnections <= Databases.MAX_CONNECTIONS, maxConnections + " connections");
        assertEquals(topics, topics(), "topics and consumer groups");
        int addedThreads = Thread.getAllStackTraces().size() - threads;
        assertTrue(addedThreads < AT_ONCE, addedThreads + " threads more");
        Awaitility.await()
                .until(() ->
                        messages("/v1/projects/" + keys.getFirst(), "web:first").size() == 2);
    }
}
