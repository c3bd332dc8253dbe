package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * The postmaster of a data directory, according to its pid file. Since process ids are reused, it must be a Postgres
 * that was started on this directory; other processes are never signalled.
 *
 * @param pid its process id
 */
record PostgresProcess(long pid) {
    private static final String PID_FILE = "postmaster.pid";

    /** The running postmaster of a data directory, if there is one. */
    static Optional<PostgresProcess> on(Path dataDirectory) throws IOException {
        return pidInFile(dataDirectory)
                .flatMap(ProcessHandle::of)
                .filter(process -> isPostgresOn(dataDirectory, process))
                .map(process -> new PostgresProcess(process.pid()));
    }

    /**
     * Removes the pid of an unrelated process from the pid file, or Postgres would not start. The rest of the file
     * stays: by it Postgres detects children of a dead postmaster that still use its memory.
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

    /** Waits until the postmaster has ended. */
    void awaitEnd() throws InterruptedException {
        var process = ProcessHandle.of(pid);
        if (process.isPresent()) {
            try {
                process.get().onExit().get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the end of Postgres cannot be awaited", e);
            }
        }
    }

    /** Kills the postmaster and its children, which would otherwise keep its shared memory. */
    void kill() {
        ProcessHandle.of(pid).ifPresent(postmaster -> {
            List<ProcessHandle> children = postmaster.children().toList();
            postmaster.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        });
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
