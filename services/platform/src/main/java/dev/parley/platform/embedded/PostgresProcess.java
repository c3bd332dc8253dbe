package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The postmaster that a data directory's pid file names. Process ids are used again, so it counts only if it is a
 * Postgres that was started on this very directory; nothing else is ever signalled.
 *
 * @param pid its process id
 */
record PostgresProcess(long pid) {
    private static final String PID_FILE = "postmaster.pid";

    /** The live postmaster on this data directory, if there is one. */
    static Optional<PostgresProcess> on(Path dataDirectory) throws IOException {
        return pidInFile(dataDirectory)
                .flatMap(ProcessHandle::of)
                .filter(process -> isPostgresOn(dataDirectory, process))
                .map(process -> new PostgresProcess(process.pid()));
    }

    /**
     * If the pid file names a live process that is not ours, makes it name none: else Postgres would not start. The rest
     * of the file stays, for by it Postgres sees whether children of a dead postmaster still have its memory.
     */
    static void disownStranger(Path dataDirectory) throws IOException {
        var pid = pidInFile(dataDirectory);
        if (pid.isPresent()
                && ProcessHandle.of(pid.get()).isPresent()
                && on(dataDirectory).isEmpty()) {
            var lines = new ArrayList<>(Files.readAllLines(dataDirectory.resolve(PID_FILE)));
            lines.set(0, Integer.toString(Integer.MAX_VALUE));
            PrivateFiles.write(dataDirectory.resolve(PID_FILE), String.join("\n", lines) + "\n");
        }
    }

    /** Kills it at once. */
    void kill() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static Optional<Long> pidInFile(Path dataDirectory) throws IOException {
        return PrivateFiles.read(dataDirectory.resolve(PID_FILE))
                .flatMap(text -> text.lines().findFirst())
                .filter(line -> line.matches("[1-9][0-9]{0,9}"))
                .map(Long::parseLong);
    }

    private static boolean isPostgresOn(Path dataDirectory, ProcessHandle process) {
        var program =
                process.info().command().map(Path::of).map(Path::getFileName).map(Path::toString);
        var arguments = process.info().arguments().map(List::of).orElse(List.of());
        return program.filter(name -> name.equals("postgres") || name.equals("postgres.exe"))
                        .isPresent()
                && arguments.contains(dataDirectory.toString());
    }
}
