package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A data directory of Postgres, and the start and stop of its server. */
final class PostgresCluster {
    static final String SUPERUSER = "postgres";
    private static final Logger LOG = LoggerFactory.getLogger(PostgresCluster.class);
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration LEFTOVER_STOP = Duration.ofSeconds(5);
    /** Off in tests, which kill processes but not machines. */
    private static final boolean SYNC = !"off".equals(System.getProperty(EmbeddedPostgresServer.SYNC));

    private static final long MAX_LOG_BYTES = 10L * 1024 * 1024;

    private static final List<String> INITDB = List.of(
            "--username=" + SUPERUSER,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            // Passwords have 256 random bits: more iterations would only slow connections down.
            "--set=scram_iterations=100",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--no-instructions");

    private final Path directory;
    private final Path binaries;
    private final Path log;
    private final PostgresCommand command;

    PostgresCluster(Path directory, Path binaries) throws IOException {
        this.directory = directory;
        this.binaries = binaries;
        this.log = directory.resolveSibling("postgres.log");
        if (Files.exists(log) && Files.size(log) > MAX_LOG_BYTES) {
            Files.delete(log);
        }
        PrivateFiles.createFile(log);
        this.command = new PostgresCommand(binaries, log);
    }

    /** Creates the data directory, unless it exists, with a superuser whose password is in the file. */
    void createOnce(Path passwordFile) throws IOException {
        createOnce(draft -> initialise(draft, passwordFile));
    }

    /**
     * Creates the data directory, unless it exists, as a copy of an empty one that is created once in a folder. All
     * copies have the same superuser password, which is written to the file.
     */
    void copyOnce(Path folder, Path passwordFile) throws IOException {
        createOnce(draft -> {
            var empty = PrivateFiles.createOnce(folder, "empty-" + binaries.getFileName(), template -> {
                var password = template.resolve(passwordFile.getFileName());
                PrivateFiles.write(password, PrivateFiles.read(passwordFile).orElseThrow());
                initialise(template.resolve("postgres"), password);
            });
            PrivateFiles.copyTree(empty.resolve("postgres"), draft);
            PrivateFiles.write(
                    passwordFile,
                    PrivateFiles.read(empty.resolve(passwordFile.getFileName())).orElseThrow());
        });
    }

    private void createOnce(PrivateFiles.Filling filling) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        var draft = directory.resolveSibling("postgres.new");
        PrivateFiles.deleteTree(draft);
        filling.fill(draft);
        // The rename is atomic; a process killed before leaves only a draft.
        Files.move(draft, directory);
    }

    private void initialise(Path draft, Path passwordFile) throws IOException {
        var options = Stream.of(
                        Stream.of("--pgdata=" + draft, "--pwfile=" + passwordFile),
                        INITDB.stream(),
                        SYNC ? Stream.<String>empty() : Stream.of("--no-sync"))
                .flatMap(part -> part);
        var exit = command.run(START, "initdb", options.toList());
        if (exit != 0) {
            throw failure("initdb");
        }
    }

    /** Starts the postmaster on 127.0.0.1 and returns when it accepts connections, after recovery. */
    void start(int port) throws IOException {
        var options = settings(port).map(setting -> "-c " + setting).collect(Collectors.joining(" "));
        // pg_ctl starts the postmaster in its own session, so that Ctrl-C does not stop it before Parley.
        var exit = pgCtl(START, "start", "--log=" + log, "--options=" + options);
        if (exit != 0) {
            throw failure("Postgres");
        }
    }

    /** Stops the postmaster that a killed process left behind. */
    void stopLeftover() throws IOException {
        var leftover = PostgresProcess.on(directory);
        if (leftover.isPresent()) {
            LOG.warn(
                    "Stopping Postgres (pid {}), which a killed Parley has left behind",
                    leftover.get().pid());
            stop(LEFTOVER_STOP);
        }
        PostgresProcess.disownStranger(directory);
    }

    /**
     * Stops the postmaster: in order within the given time, otherwise at once, with recovery at the next start.
     *
     * @param orderly whole seconds
     */
    void stop(Duration orderly) throws IOException {
        if (isRunning() && pgCtl(orderly, "stop", "--mode=fast") != 0) {
            var postmaster = PostgresProcess.on(directory);
            if (postmaster.isPresent()) {
                LOG.warn("Postgres did not stop within {}: it is killed", orderly);
                postmaster.get().kill();
            }
        }
    }

    /** Waits until the postmaster has ended; returns at once where there is none. */
    void awaitEnd() throws IOException, InterruptedException {
        var postmaster = PostgresProcess.on(directory);
        if (postmaster.isPresent()) {
            postmaster.get().awaitEnd();
        }
    }

    private boolean isRunning() throws IOException {
        return PostgresProcess.on(directory).isPresent();
    }

    /** Runs pg_ctl, which waits until the server is up or down, up to the limit. */
    private int pgCtl(Duration limit, String action, String... options) throws IOException {
        var arguments = new ArrayList<>(List.of(action, "--pgdata=" + directory, "--wait", "--silent"));
        arguments.add("--timeout=" + limit.toSeconds());
        arguments.addAll(List.of(options));
        return command.run(limit.plusSeconds(2), "pg_ctl", arguments);
    }

    private static Stream<String> settings(int port) {
        return Stream.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "fsync=" + (SYNC ? "on" : "off"),
                // A new database grows fast, and has bad plans without statistics. A small sample is enough; the
                // tables that grow fastest set their own thresholds.
                "autovacuum_naptime=10s",
                "autovacuum_max_workers=1",
                "default_statistics_target=25",
                "synchronous_commit=on",
                "full_page_writes=on",
                "max_connections=100",
                "shared_buffers=128MB",
                "max_wal_size=1GB",
                "timezone=UTC",
                "log_timezone=UTC",
                "log_checkpoints=off");
    }

    private StartupException failure(String program) throws IOException {
        var lines = Files.readAllLines(log);
        var tail = lines.subList(Math.max(0, lines.size() - 8), lines.size());
        return new StartupException(
                "%s failed; the end of %s says:%n%s".formatted(program, log, String.join("\n", tail)));
    }
}
