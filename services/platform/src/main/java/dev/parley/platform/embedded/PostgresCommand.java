package dev.parley.platform.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the Postgres programs. Since they refuse to run as root, root runs them in a user namespace, as the user
 * {@code nobody}; root still owns their files.
 */
final class PostgresCommand {
    private static final List<String> AS_NOBODY = List.of("unshare", "--user");

    private final Path binaries;
    private final Path log;
    private final List<String> prefix;

    /**
     * @param binaries folder with {@code bin}
     *
     * @param log file to which the output is appended
     */
    PostgresCommand(Path binaries, Path log) throws IOException {
        this.binaries = binaries;
        this.log = log;
        this.prefix = isRoot() ? AS_NOBODY : List.of();
        if (!prefix.isEmpty() && execute(withPrefix("true"), Duration.ofSeconds(10)) != 0) {
            throw new StartupException("Postgres does not run as root, and this machine does not let root create user "
                    + "namespaces. Run Parley as an ordinary user, or set PARLEY_POSTGRES to a Postgres of your own.");
        }
    }

    /** Runs a program and returns its exit code; kills it after the timeout. */
    int run(Duration timeout, String program, List<String> arguments) throws IOException {
        var command = withPrefix(binaries.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return execute(command, timeout);
    }

    private List<String> withPrefix(String program) {
        var command = new ArrayList<>(prefix);
        command.add(program);
        return command;
    }

    private int execute(List<String> command, Duration timeout) throws IOException {
        var builder = new ProcessBuilder(command)
                .directory(binaries.toFile())
                .redirectErrorStream(true)
                .redirectInput(nullFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // English messages in the log, and none of the user's PGPORT, PGDATA …
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().put("LC_ALL", "C");
        return exitCode(builder.start(), command, timeout);
    }

    private static int exitCode(Process process, List<String> command, Duration timeout) throws IOException {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(String.join(" ", command) + " did not end within " + timeout);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for " + String.join(" ", command), e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static File nullFile() {
        return new File(isUnix() ? "/dev/null" : "NUL");
    }

    private static boolean isUnix() {
        return File.separatorChar == '/';
    }

    private static boolean isRoot() {
        return isUnix() && Files.isDirectory(Path.of("/proc/self")) && new UnixSystem().getUid() == 0;
    }
}
