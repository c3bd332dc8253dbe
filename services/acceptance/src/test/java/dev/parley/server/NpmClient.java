package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scripts with official clients for Node, in {@code .ci/clients}. */
final class NpmClient {
    private NpmClient() {}

    /** Runs a script, which checks what it sees; leaves the test out where the clients are not installed. */
    static void run(Path folder, String name, String... arguments) throws IOException {
        Path script = Path.of("../../.ci/clients/" + name + ".mjs");
        assumeTrue(
                Files.exists(script.resolveSibling("node_modules/.package-lock.json")),
                "nothing is installed beside " + script + ": .ci/run installs it where npm is");
        Path out = folder.resolve(name + ".out");
        int status = runNode(
                out,
                Stream.concat(Stream.of(script.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
        assertEquals(0, status, Files.readString(out));
    }

    /** Runs a script with Node; returns its exit code. */
    static int runNode(Path out, String... command) throws IOException {
        return new ProcessBuilder(
                        Stream.concat(Stream.of("node"), Stream.of(command)).toList())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start()
                .onExit()
                .orTimeout(60, TimeUnit.SECONDS)
                .join()
                .exitValue();
    }
}
