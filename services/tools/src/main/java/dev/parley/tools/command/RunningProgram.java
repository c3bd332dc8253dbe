package dev.parley.tools.command;

import dev.parley.tools.ToolOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A program that is run to its end, with bounds on what it prints; it gives {@code {"code", "stdout", "stderr"}}. */
final class RunningProgram {
    /** Most bytes of the two outputs together. */
    static final int MOST = 1 << 20;

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private RunningProgram() {}

    /**
     * Runs it; nothing that it started goes on when this returns.
     *
     * @param what it is called where it fails
     * @param input null for none
     */
    static ToolOutput run(String what, ProcessBuilder program, @Nullable String input, TemporaryHome home)
            throws IOException {
        if (input == null) {
            program.redirectInput(Path.of("/dev/null").toFile());
        }
        Process process;
        try {
            process = program.start();
        } catch (IOException | IllegalArgumentException e) {
            return new ToolOutput.Failed("the " + what + " could not be begun: " + e.getMessage());
        }
        return ended(what, process, input == null ? "" : input, new ProcessTree(process.toHandle(), home.mark()));
    }

    private static ToolOutput ended(String what, Process process, String text, ProcessTree tree) throws IOException {
        var printed = new PrintedOutput(MOST, process);
        var input = Thread.ofVirtual().start(() -> feed(process, text));
        boolean stopped = false;
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            stopped = true; // the answer comes first: what is known is that it was ended
        } finally {
            tree.end();
        }
        printed.await(LAST_WORDS);
        input.interrupt();
        if (stopped) {
            return new ToolOutput.Failed("the " + what + " was ended before its end; what it did until then is done");
        }
        if (printed.isTooMuch()) {
            return new ToolOutput.Failed(
                    "the " + what + " printed more than 1 MiB and was ended; what it did until then is done");
        }
        return ToolOutput.of(JsonMapper.shared()
                .createObjectNode()
                .put("code", process.exitValue())
                .put("stdout", printed.stdout())
                .put("stderr", printed.stderr())
                .toString());
    }

    /** A program need not read what it is given. */
    private static void feed(Process process, String text) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // it has ended, or has closed it
        }
    }
}
