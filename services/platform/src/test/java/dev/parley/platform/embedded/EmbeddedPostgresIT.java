package dev.parley.platform.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.TestInfra;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresIT {
    @TempDir
    private Path folder;

    private DataFolder data;

    @BeforeEach
    void open() {
        data = DataFolder.open(folder);
    }

    @AfterEach
    void close() {
        data.close();
    }

    @Test
    void dataSurvivesARestart() throws Exception {
        // Given
        try (var server = start(data, 0)) {
            write(server, "kept");
        }

        // When
        try (var server = start(data, 0)) {
            // Then
            assertEquals("kept", read(server));
        }
    }

    @Test
    @Tag("B124")
    void aServerThatDiesIsStartedAgain() throws Exception {
        // Given
        var postgres = folder.toRealPath().resolve("postgres");
        try (var server = start(data, 0)) {
            write(server, "kept");
            long killed = PostgresProcess.on(postgres).orElseThrow().pid();

            // When
            ProcessHandle.of(killed).orElseThrow().destroyForcibly();

            // Then
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> read(server).equals("kept")
                            && PostgresProcess.on(postgres).orElseThrow().pid() != killed);
        }

        // And then
        assertTrue(PostgresProcess.on(postgres).isEmpty());
    }

    @Test
    @Tag("B120")
    void aPausedServerIsKilledWhenTheProcessStops() throws Exception {
        // Given
        var postgres = folder.toRealPath().resolve("postgres");
        var server = start(data, 0);
        var postmaster = ProcessHandle.of(
                        PostgresProcess.on(postgres).orElseThrow().pid())
                .orElseThrow();
        for (var process :
                Stream.concat(postmaster.children(), Stream.of(postmaster)).toList()) {
            new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }

        // When
        server.close();

        // Then: a paused child would keep its memory, and Postgres would not start
        try (var again = start(data, 0)) {
            write(again, "works");
        }
    }

    @Test
    void theServerOfAKilledProcessIsStoppedAndItsDataKept() throws Exception {
        // Given
        data.close();
        var postgres = folder.toRealPath().resolve("postgres");
        try (var child = ChildJvm.start(StartAndWrite.class, folder, TestInfra.postgresPrograms())) {
            child.kill();
        }
        var leftover = PostgresProcess.on(postgres).orElseThrow();
        var start = Instant.now();

        // When
        data = DataFolder.open(folder);
        try (var server = start(data, 0)) {
            // Then
            assertTrue(Duration.between(start, Instant.now()).toSeconds() < 8);
            assertEquals("kept", read(server));
            assertNotEquals(leftover, PostgresProcess.on(postgres).orElseThrow());
        }
        await().until(() ->
                !ProcessHandle.of(leftover.pid()).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    void doesNotKillAnUnrelatedProcessWithAStalePid() throws Exception {
        // Given
        try (var server = start(data, 0)) {
            write(server, "kept");
        }
        var stranger = new ProcessBuilder("sleep", "60").start();
        var pidFile = data.resolve("postgres").resolve("postmaster.pid");
        Files.writeString(
                pidFile, stranger.pid() + "\n" + data.resolve("postgres") + "\n1\n5432\n\n127.0.0.1\n0 0\nready\n");

        // When
        try (var server = start(data, 0)) {
            // Then
            assertEquals("kept", read(server));
            assertTrue(stranger.isAlive());
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void aTakenPortMakesItChooseAnother() throws Exception {
        // Given
        try (var occupied = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            // When
            try (var server = start(data, occupied.getLocalPort())) {
                // Then
                assertNotEquals(occupied.getLocalPort(), server.port());
                write(server, "reachable");
            }
        }
    }

    @Test
    void requiresThePasswordAndCommitsDurably() throws Exception {
        // Given
        try (var server = start(data, 0)) {
            var owner = server.database().owner();

            // When
            var refused = assertThrows(
                    SQLException.class, () -> DriverManager.getConnection(owner.url(), owner.user(), "guess"));

            // Then
            assertEquals("28P01", refused.getSQLState());
            try (var connection = connect(owner)) {
                assertEquals("on", show(connection, "SHOW fsync"));
                assertEquals("on", show(connection, "SHOW synchronous_commit"));
                assertEquals("127.0.0.1", show(connection, "SHOW listen_addresses"));
            }
            assertEquals("rwx------", mode(data.resolve("postgres")));
            assertEquals("rw-------", mode(data.resolve("postgres.password")));
        }
    }

    @Test
    void appRoleHasNoRightsOfTheOwner() throws Exception {
        try (var server = start(data, 0)) {
            write(server, "secret");

            try (var connection = connect(server.database().app())) {
                assertEquals("off", show(connection, "SHOW is_superuser"));
                assertFails(connection, "SELECT text FROM note");
                assertFails(connection, "CREATE TABLE mine (id int)");
            }
        }
    }

    private static void assertFails(Connection connection, String sql) {
        var refused = assertThrows(
                SQLException.class, () -> connection.createStatement().execute(sql));
        assertEquals("42501", refused.getSQLState(), sql);
    }

    private static EmbeddedPostgresServer start(DataFolder data, int port) {
        return EmbeddedPostgresServer.start(data, TestInfra.postgresPrograms(), port);
    }

    private static void write(EmbeddedPostgresServer server, String text) throws SQLException {
        try (var connection = connect(server.database().owner());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE note (text text)");
            statement.execute("INSERT INTO note VALUES ('" + text + "')");
        }
    }

    private static String read(EmbeddedPostgresServer server) throws SQLException {
        try (var connection = connect(server.database().owner())) {
            return show(connection, "SELECT text FROM note");
        }
    }

    private static String show(Connection connection, String query) throws SQLException {
        try (var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Connection connect(DatabaseLogin login) throws SQLException {
        return DriverManager.getConnection(login.url(), login.user(), login.password());
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** In a JVM of its own: starts the server, commits a row, waits to be killed. */
    static final class StartAndWrite {
        private StartAndWrite() {}

        public static void main(String[] args) throws Exception {
            var server = EmbeddedPostgresServer.start(DataFolder.open(Path.of(args[0])), Path.of(args[1]), 0);
            write(server, "kept");
            ChildJvm.startedThenWait();
        }
    }
}
