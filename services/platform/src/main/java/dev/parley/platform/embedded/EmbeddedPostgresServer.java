package dev.parley.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Postgres server of this process's own, on 127.0.0.1, with passwords made at random and kept in the data folder. What
 * it has committed survives a killed process and a power cut. A server that a killed process has left behind is
 * stopped first.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {
    /** The database that Parley uses. */
    public static final String DATABASE = "parley";
    /** Owns the databases and all that migrations create in them. */
    public static final String OWNER_ROLE = "parley";
    /**
     * The system property that names a folder in which the programs are unpacked, and an empty database is made, instead of in each
     * data folder: where many of these come and go, as in tests, that is done once. They all have the same superuser's password.
     */
    public static final String PROGRAMS = "parley.postgres.programs";

    /** System property: {@code off} does without what only outlives a machine that loses power. For tests. */
    public static final String SYNC = "parley.postgres.sync";
    /** What services connect as; migrations grant to it what it may do. */
    public static final String APP_ROLE = "parley_app";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

    private final DataFolder data;
    private final PostgresCluster cluster;
    private final int port;
    private final PostgresDatabase parley;

    private EmbeddedPostgresServer(DataFolder data, PostgresCluster cluster, int port) throws SQLException {
        this.data = data;
        this.cluster = cluster;
        this.port = port;
        try (var roles = roles()) {
            roles.ensureRole(OWNER_ROLE, data.secret("postgres-owner.password"));
            roles.ensureRole(APP_ROLE, data.secret("postgres-app.password"));
        }
        this.parley = database(DATABASE);
    }

    /**
     * Starts the server on {@code postgres/} in the data folder, and returns when it takes connections.
     *
     * @param wantedPort where to listen; 0 for the port of the last time. If it is taken another is chosen, see
     *     {@link #port()}
     * @throws StartupException when the server cannot start
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

    /** As {@link #start(DataFolder, int)}, with the programs unpacked in another folder, and nothing else that is shared. */
    static EmbeddedPostgresServer start(DataFolder data, Path programs, int wantedPort) {
        return start(data, programs, PostgresCluster::createOnce, wantedPort);
    }

    private interface Creation {
        void create(PostgresCluster cluster, Path passwordFile) throws IOException;
    }

    private static EmbeddedPostgresServer start(DataFolder data, Path programs, Creation creation, int wantedPort) {
        var begun = System.nanoTime();
        try {
            data.secret("postgres.password");
            var cluster = new PostgresCluster(data.resolve("postgres"), PostgresBinaries.unpackedIn(programs));
            creation.create(cluster, data.resolve("postgres.password"));
            cluster.stopLeftover();
            var port = Ports.choose(data.resolve("postgres.port"), wantedPort);
            var server = startServer(data, cluster, port);
            LOG.info("Postgres listens on 127.0.0.1:{} after {} ms", port, (System.nanoTime() - begun) / 1_000_000);
            return server;
        } catch (IOException | SQLException e) {
            throw new StartupException("The embedded Postgres did not start: " + e.getMessage(), e);
        }
    }

    /** The database {@value #DATABASE}. */
    public PostgresDatabase database() {
        return parley;
    }

    /** The database of this name with the same two roles; created when there is none, as tests like it. */
    public PostgresDatabase database(String name) throws SQLException {
        try (var roles = roles()) {
            roles.ensureDatabase(name, OWNER_ROLE, APP_ROLE);
        }
        try (var inside = roles(name)) {
            inside.ensureSearch();
        }
        return new PostgresDatabase(
                login(name, OWNER_ROLE, "postgres-owner.password"), login(name, APP_ROLE, "postgres-app.password"));
    }

    /** The port it really listens on. */
    public int port() {
        return port;
    }

    /** Stops the server and returns when it has. Connections that are open are closed. */
    @Override
    public void close() {
        try {
            cluster.stop();
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
            cluster.stop();
            throw e;
        }
    }

    private PostgresRoles roles() throws SQLException {
        return roles("postgres");
    }

    private PostgresRoles roles(String database) throws SQLException {
        return new PostgresRoles(login(database, PostgresCluster.SUPERUSER, "postgres.password"));
    }

    private DatabaseLogin login(String database, String role, String secret) {
        var url = "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
        return new DatabaseLogin(url, role, data.secret(secret));
    }
}
