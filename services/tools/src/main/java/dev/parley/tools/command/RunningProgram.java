package dev.parley.tools.command;

import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.ToolOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs a program to its end with bounded output; the result is {@code {"code", "stdout", "stderr"}}. */
final class RunningProgram {
    /** Maximum bytes of standard output and error together. */
    static final int MAX_OUTPUT = 1 << 20;

    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(2);

    private RunningProgram() {}

    /**
     * Runs the program; all its descendants are killed when this returns.
     *
     * @param name its name in error messages
     * @param input null for none
     */
    static ToolOutput run(String name, ProcessBuilder program, @Nullable String input, TemporaryHome home)
            throws IOException {
        if (input == null) {
            program.redirectInput(Path.of("/dev/null").toFile());
        }
        Process process;
        try {
            process = program.start();
        } catch (IOException | IllegalArgumentException e) {
            return new ToolOutput.Failed("the " + name + " could not be started: " + e.getMessage());
        }
        return result(name, process, input == null ? "" : input, new ProcessTree(process.toHandle(), home.mark()));
    }

    private static ToolOutput result(String name, Process process, String input, ProcessTree tree) throws IOException {
        var printed = new PrintedOutput(MAX_OUTPUT, process);
        Thread feeder = Thread.ofVirtual().start(() -> feed(process, input));
        boolean cancelled = !awaitEnd(process, tree);
        printed.await(OUTPUT_TIMEOUT);
        feeder.interrupt();
        if (cancelled) {
            return new ToolOutput.Failed("the " + name + " was ended before its end; what it did until then is done");
        }
        if (printed.isTooMuch()) {
            return new ToolOutput.Failed(
                    "the " + name + " printed more than 1 MiB and was ended; what it did until then is done");
        }
        return ToolOutput.of(JsonMappers.shared()
                .createObjectNode()
                .put("code", process.exitValue())
                .put("stdout", printed.stdout())
                .put("stderr", printed.stderr())
                .toString());
    }

    /** Waits for the end of the program; returns false if it was interrupted and killed the program. */
    private static boolean awaitEnd(Process process, ProcessTree tree) {
        try {
            process.waitFor();
            return true;
        } catch (InterruptedException e) {
            return false; // the call returns a result instead of the interrupt
        } finally {
            tree.end();
        }
    }

    /** Writes standard input, which the program need not read. */
    private static void feed(Process process, String text) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // ended, or closed its input
        }
    }
}
