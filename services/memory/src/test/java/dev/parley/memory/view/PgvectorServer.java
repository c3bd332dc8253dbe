package dev.parley.memory.view;

import dev.parley.memory.MemorySchema;
import dev.parley.platform.embedded.DatabaseLogin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A Postgres that has pgvector, in which nothing stands yet: in a container where a Docker engine is, else PGlite where
 * it is installed.
 */
sealed interface PgvectorServer extends AutoCloseable {
    /** What to do where there is none. */
    String NONE = "no Docker engine here, and no PGlite in .ci/pgvector: .ci/run installs it where npm is";

    /** The role that services use. */
    String APP_ROLE = "parley_app";

    /** Its superuser. */
    DatabaseLogin login();

    /** Makes the tables of memory, as {@link MemorySchema} does. */
    void migrate(DataSource owner) throws Exception;

    /** What it has said. */
    String output();

    @Override
    void close();

    /** Starts one; empty where none can be had. */
    static Optional<PgvectorServer> start() {
        if (DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.of(InContainer.begun());
        }
        return Files.exists(Pglite.PROGRAM) ? Optional.of(Pglite.begun()) : Optional.empty();
    }

    /** As operators have it. */
    record InContainer(PostgreSQLContainer container) implements PgvectorServer {
        private static InContainer begun() {
            var container = new PostgreSQLContainer("pgvector/pgvector:0.8.0-pg17");
            container.start();
            return new InContainer(container);
        }

        @Override
        public DatabaseLogin login() {
            return new DatabaseLogin(container.getJdbcUrl(), container.getUsername(), container.getPassword());
        }

        @Override
        public void migrate(DataSource owner) {
            MemorySchema.migrate(owner, APP_ROLE);
        }

        @Override
        public String output() {
            return container.getLogs();
        }

        @Override
        public void close() {
            container.stop();
        }
    }

    /**
     * Postgres as a program for Node. It has one session, which its connections share one after the other: what one
     * prepares would be there for the next.
     */
    record Pglite(Process process, Path log, int port) implements PgvectorServer {
        private static final String MIGRATION = "/db/migration/memory/V1__memory_views.sql";
        private static final Path FOLDER = Path.of("../../.ci/pgvector");
        private static final Path PROGRAM =
                FOLDER.resolve("node_modules/@electric-sql/pglite-socket/dist/scripts/server.js");
        private static final Pattern PORT = Pattern.compile("listening on .*\"port\":(\\d+)");
        private static final Duration PATIENCE = Duration.ofSeconds(60);

        private static Pglite begun() {
            try {
                Path log = Files.createTempFile("pglite", ".log");
                Process process = new ProcessBuilder(
                                "node",
                                PROGRAM.toAbsolutePath().normalize().toString(),
                                "--port=0",
                                "--max-connections=5", // one that is closed may be there for a moment yet
                                "--extensions=@electric-sql/pglite-pgvector:vector")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
                Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
                return new Pglite(process, log, port(process, log));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static int port(Process process, Path log) {
            try {
                return Awaitility.await()
                        .atMost(PATIENCE)
                        .until(
                                () -> {
                                    if (!process.isAlive()) {
                                        throw new AssertionError("PGlite ended:\n" + read(log));
                                    }
                                    return PORT.matcher(read(log)).results().findFirst();
                                },
                                Optional::isPresent)
                        .map((MatchResult found) -> Integer.parseInt(found.group(1)))
                        .orElseThrow();
            } catch (ConditionTimeoutException e) {
                process.destroyForcibly();
                throw new AssertionError("PGlite does not listen after " + PATIENCE + ":\n" + read(log), e);
            }
        }

        private static String read(Path log) {
            try {
                return Files.readString(log, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public DatabaseLogin login() {
            String url = "jdbc:postgresql://127.0.0.1:" + port
                    + "/postgres?sslmode=disable&prepareThreshold=0&socketTimeout=60";
            return new DatabaseLogin(url, "postgres", "postgres");
        }

        /**
         * Flyway needs several sessions at once: one holds a lock while another migrates. A superuser sees all rows
         * whatever policies say.
         */
        @Override
        public void migrate(DataSource owner) throws SQLException, IOException {
            try (InputStream sql = Objects.requireNonNull(MemorySchema.class.getResourceAsStream(MIGRATION));
                    Connection connection = owner.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE SCHEMA memory");
                statement.execute("SET search_path = memory, public");
                statement.execute(new String(sql.readAllBytes(), StandardCharsets.UTF_8)
                        .replace("${appRole}", APP_ROLE)
                        .replace("${ofHost}", "true")
                        .replace("${ofProject}", "true"));
                statement.execute("RESET search_path");
            }
        }

        @Override
        public String output() {
            return read(log);
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
            try {
                Files.delete(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
