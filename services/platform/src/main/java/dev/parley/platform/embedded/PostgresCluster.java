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

/** A data directory of Postgres: created once, started, stopped. */
final class PostgresCluster {
    static final String SUPERUSER = "postgres";
    private static final Logger LOG = LoggerFactory.getLogger(PostgresCluster.class);
    private static final Duration START = Duration.ofSeconds(60);
    /** Tests kill processes and never machines: their disk need not have what the machine has. */
    private static final boolean SYNC = !"off".equals(System.getProperty(EmbeddedPostgresServer.SYNC));

    private static final long MAX_LOG_BYTES = 10L * 1024 * 1024;

    private static final List<String> INITDB = List.of(
            "--username=" + SUPERUSER,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            // Passwords are 256 random bits, which nobody guesses: that each guess takes long only makes connecting
            // slow.
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

    /** Creates the data directory, unless it is there, with a superuser that has the password in the file. */
    void createOnce(Path passwordFile) throws IOException {
        createOnce(draft -> initialise(draft, passwordFile));
    }

    /**
     * Creates the data directory, unless it is there, as a copy of an empty one that is made once in a folder. The superuser's
     * password is the same for all copies, and is written into the file.
     */
    void copyOnce(Path folder, Path passwordFile) throws IOException {
        createOnce(draft -> {
            var empty = PrivateFiles.makeOnce(folder, "empty-" + binaries.getFileName(), made -> {
                var password = made.resolve(passwordFile.getFileName());
                PrivateFiles.write(password, PrivateFiles.read(passwordFile).orElseThrow());
                initialise(made.resolve("postgres"), password);
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
        // The rename makes it whole at once; a process that was killed before leaves only a draft.
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

    /** Starts the postmaster on 127.0.0.1 and returns when it takes connections, recovery included. */
    void start(int port) throws IOException {
        var options = settings(port).map(setting -> "-c " + setting).collect(Collectors.joining(" "));
        // pg_ctl gives the postmaster a session of its own: Ctrl-C must not stop it before Parley is done.
        var exit = pgCtl(START, "start", "--log=" + log, "--options=" + options);
        if (exit != 0) {
            throw failure("Postgres");
        }
    }

    /** Stops the postmaster that a killed process has left behind: never attach to it, never run beside it. */
    void stopLeftover() throws IOException {
        var leftover = PostgresProcess.on(directory);
        if (leftover.isPresent()) {
            LOG.warn(
                    "Stopping Postgres (pid {}), which a killed Parley has left behind",
                    leftover.get().pid());
            stop();
        }
        PostgresProcess.disownStranger(directory);
    }

    /** Stops the postmaster: in order, else by breaking off what it does, which its log repairs at the next start. */
    void stop() throws IOException {
        if (PostgresProcess.on(directory).isEmpty() || stopped("fast", 3) || stopped("immediate", 3)) {
            return;
        }
        PostgresProcess.on(directory).ifPresent(PostgresProcess::kill);
    }

    private boolean stopped(String mode, int seconds) throws IOException {
        return pgCtl(Duration.ofSeconds(seconds), "stop", "--mode=" + mode) == 0;
    }

    /** Runs pg_ctl, which waits until the server is up or down, but no longer than the limit. */
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
                // A new database grows fast: without statistics its first plans are bad for a minute. A small sample
                // does for it; the tables that grow fastest set their own thresholds.
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

    private StartupException failure(String what) throws IOException {
        var lines = Files.readAllLines(log);
        var tail = lines.subList(Math.max(0, lines.size() - 8), lines.size());
        return new StartupException("%s failed; the end of %s says:%n%s".formatted(what, log, String.join("\n", tail)));
    }
}
