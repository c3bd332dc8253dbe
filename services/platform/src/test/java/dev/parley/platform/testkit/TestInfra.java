package dev.parley.platform.testkit;

import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.embedded.PostgresDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One broker and one Postgres for all tests in this JVM, in a temporary folder, started when first asked for and
 * stopped with the JVM. A test keeps apart from others by topics and databases of its own, not by a server of its own.
 */
public final class TestInfra {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestInfra() {}

    /** The broker. */
    public static EmbeddedKafka kafka() {
        return Kafka.BROKER;
    }

    /** The Postgres server. */
    public static EmbeddedPostgresServer postgres() {
        return Postgres.SERVER;
    }

    /** The data folder of both. */
    public static Path folder() {
        return Folder.DATA.path();
    }

    /** A new, empty database. */
    public static PostgresDatabase newDatabase() {
        try {
            return postgres().database("test_" + DATABASES.incrementAndGet());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The superuser of the server, in a database. */
    public static DatabaseLogin superuser(PostgresDatabase database) {
        return new DatabaseLogin(database.owner().url(), "postgres", Folder.DATA.secret("postgres.password"));
    }

    /**
     * The programs of Postgres, unpacked once for the tests of all modules, and left there until the platform is
     * cleaned.
     */
    public static Path postgresPrograms() {
        return Path.of(System.getProperty(EmbeddedPostgresServer.PROGRAMS));
    }

    private static final class Folder {
        static final DataFolder DATA = open();
        static final Deque<AutoCloseable> SERVERS = new ConcurrentLinkedDeque<>();

        private static DataFolder open() {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(Folder::remove));
                return DataFolder.open(Files.createTempDirectory("parley-test-"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static <S extends AutoCloseable> S closedAtExit(S server) {
            SERVERS.push(server);
            return server;
        }

        private static void remove() {
            try {
                for (var server : SERVERS) {
                    server.close();
                }
                deleteTree(DATA.path());
            } catch (Exception e) {
                System.err.println("Left behind: " + DATA.path() + ": " + e);
            }
        }

        private static void deleteTree(Path folder) throws IOException {
            try (var found = Files.walk(folder)) {
                for (var path : found.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static final class Kafka {
        static final EmbeddedKafka BROKER = Folder.closedAtExit(EmbeddedKafka.start(Folder.DATA, 0));
    }

    private static final class Postgres {
        static final EmbeddedPostgresServer SERVER = Folder.closedAtExit(EmbeddedPostgresServer.start(Folder.DATA, 0));
    }
}
