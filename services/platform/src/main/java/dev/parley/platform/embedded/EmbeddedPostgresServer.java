package dev.parley.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Postgres server of this process, on 127.0.0.1, with random passwords stored in the data folder. Commits survive
 * killed processes and power failures. A server left behind by a killed process is stopped first, and one that ends by itself or is killed
 * is started again.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {
    /** The database that Parley uses. */
    public static final String DATABASE = "parley";
    /** Role that owns the databases and all objects of migrations. */
    public static final String OWNER_ROLE = "parley";
    /**
     * System property: a folder in which the programs are unpacked and an empty database is created once, instead of in
     * each data folder, for tests with many servers. These have the same superuser password.
     */
    public static final String PROGRAMS = "parley.postgres.programs";

    /** System property: {@code off} disables fsync, for tests. */
    public static final String SYNC = "parley.postgres.sync";
    /** Role of services, which gets its rights from migrations. */
    public static final String APP_ROLE = "parley_app";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

    /** Time to stop in order, which takes some 100 ms while connections are closed. */
    private static final Duration STOP = Duration.ofSeconds(1);

    private final DataFolder data;
    private final PostgresCluster cluster;
    private final int port;
    private final PostgresDatabase parley;
    private final PostgresWatch watch;

    private EmbeddedPostgresServer(DataFolder data, PostgresCluster cluster, int port) throws SQLException {
        this.data = data;
        this.cluster = cluster;
        this.port = port;
        this.parley = database(DATABASE);
        this.watch = PostgresWatch.start(cluster, port);
    }

    /**
     * Starts the server on {@code postgres/} in the data folder, and returns when it accepts connections.
     *
     * @param wantedPort 0 for the port of the last start. If it is taken, another one is chosen, see {@link #port()}
     * @throws StartupException if the server cannot start
     */
    public static EmbeddedPostgresServer start(DataFolder data, int wantedPort) {
        var shared = System.getProperty(PROGRAMS);
        return shared == null
                ? start(data, data.path(), wantedPort)
                : start(
                        data,
                        Path.of(shared),
                        (cluster, password) -> cluster.copyOnce(Path.of(shared), password),
                        wantedPort);
    }

    /** Like {@link #start(DataFolder, int)}, with the programs in another folder. */
    static EmbeddedPostgresServer start(DataFolder data, Path programs, int wantedPort) {
        return start(data, programs, PostgresCluster::createOnce, wantedPort);
    }

    private interface Creation {
        void create(PostgresCluster cluster, Path passwordFile) throws IOException;
    }

    private static EmbeddedPostgresServer start(DataFolder data, Path programs, Creation creation, int wantedPort) {
        var start = System.nanoTime();
        try {
            data.secret("postgres.password");
            var cluster = new PostgresCluster(data.resolve("postgres"), PostgresBinaries.unpackOnce(programs));
            creation.create(cluster, data.resolve("postgres.password"));
            cluster.stopLeftover();
            var port = Ports.choose(data.resolve("postgres.port"), wantedPort);
            var server = startServer(data, cluster, port);
            LOG.info("Postgres listens on 127.0.0.1:{} after {} ms", port, (System.nanoTime() - start) / 1_000_000);
            return server;
        } catch (IOException | SQLException e) {
            throw new StartupException("The embedded Postgres did not start: " + e.getMessage(), e);
        }
    }

    /** The database {@value #DATABASE}. */
    public PostgresDatabase database() {
        return parley;
    }

    /** The database with this name and the same roles; created if it does not exist, for tests. */
    public PostgresDatabase database(String name) throws SQLException {
        var url = "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
        return PostgresDatabase.ensure(
                new DatabaseLogin(url, PostgresCluster.SUPERUSER, data.secret("postgres.password")),
                name,
                data.secret("postgres-owner.password"),
                data.secret("postgres-app.password"));
    }

    /**
     * The superuser of a server that runs on a data folder.
     *
     * @param url of one of its databases
     */
    public static DatabaseLogin superuser(Path data, String url) throws IOException {
        String password = Files.readString(data.resolve("postgres.password")).strip();
        return new DatabaseLogin(url, PostgresCluster.SUPERUSER, password);
    }

    /** The actual port. */
    public int port() {
        return port;
    }

    /** Stops the server, which closes open connections, and waits for its end; kills it where it does not react. */
    @Override
    public void close() {
        watch.close();
        try {
            cluster.stop(STOP);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgresServer startServer(DataFolder data, PostgresCluster cluster, int port)
            throws IOException, SQLException {
        cluster.start(port);
        try {
            return new EmbeddedPostgresServer(data, cluster, port);
        } catch (SQLException | RuntimeException e) {
            cluster.stop(STOP);
            throw e;
        }
    }
}
