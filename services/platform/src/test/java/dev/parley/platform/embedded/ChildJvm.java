package dev.parley.platform.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM that starts the embedded servers on a data folder, to be killed. */
public final class ChildJvm implements AutoCloseable {
    private static final String STARTED = "STARTED";

    private final Process process;

    private ChildJvm(Process process) {
        this.process = process;
    }

    /** Starts the JVM and returns when its server takes connections. */
    public static ChildJvm start(Class<?> main, Path... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        for (var argument : arguments) {
            command.add(argument.toString());
        }
        var child = new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        child.awaitStarted(child.process.inputReader());
        return child;
    }

    /** Reports to the test that the server is up, then waits to be killed or for the end of the test's JVM. */
    public static void startedThenWait() throws IOException {
        System.out.println(STARTED);
        System.in.read();
    }

    /** As {@code kill -9}: no shutdown hook runs. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The child JVM does not die");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void awaitStarted(BufferedReader output) throws IOException {
        var lines = new StringBuilder();
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals(STARTED)) {
                drain(output);
                return;
            }
            lines.append(line).append('\n');
        }
        throw new IllegalStateException("The child JVM ended early:\n" + lines);
    }

    /** A child whose output is not read would block once the pipe is full. */
    private static void drain(BufferedReader output) {
        Thread.ofVirtual().start(() -> output.lines().forEach(line -> System.out.println("child: " + line)));
    }
}
