package dev.parley.tools.command;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a command of a workflow, at most once: {@code /bin/sh -c command} with arguments, an environment and standard input. No model is told
 * of it. It works in an empty folder that goes afterwards, has nothing of Parley's environment, and nothing that it started goes on when it
 * has ended. It may do what the user may as whom Parley runs.
 *
 * <p>It gives {@code {"code", "stdout", "stderr"}}. A command that prints more than {@value #MOST} bytes is ended, and so is one whose call
 * is to stop: what it did until then is done.
 */
public final class CommandTool implements Tool {
    /** What the ledger knows it by. */
    public static final String NAME = "workflow_shell";

    /** Most bytes of the two outputs together. */
    public static final int MOST = 1 << 20;

    private static final String SHELL = "/bin/sh";
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private static final ToolSpec SPEC = new ToolSpec(
                    NAME, "Runs a command of a workflow.", """
            {"type":"object","properties":{\
            "command":{"type":"string"},\
            "arguments":{"type":"array","items":{"type":"string"}},\
            "environment":{"type":"object","additionalProperties":{"type":"string"}},\
            "stdin":{"type":"string"},\
            "idempotencyKey":{"type":"string"}},\
            "required":["command","idempotencyKey"],"additionalProperties":false}""", ToolEffect.AT_MOST_ONCE, Duration.ofDays(1))
            .with(ToolAccess.EXECUTE);

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws IOException {
        try (TemporaryHome home = TemporaryHome.make()) {
            Process process;
            try {
                process = builder(arguments, home).start();
            } catch (IOException | IllegalArgumentException e) {
                return new ToolOutput.Failed("the command could not be begun: " + e.getMessage());
            }
            return ended(process, arguments, new ProcessTree(process.toHandle(), home.mark()));
        }
    }

    private static ProcessBuilder builder(JsonNode arguments, TemporaryHome home) {
        // the outer shell gives its arguments to the inner one, whose command may begin with a dash
        var words = new ArrayList<>(List.of(SHELL, "-c", "ulimit -c 0; exec " + SHELL + " -c -- \"$@\"", SHELL));
        words.add(arguments.get("command").asString());
        words.add(SHELL);
        arguments.path("arguments").forEach(argument -> words.add(argument.asString()));
        var builder = new ProcessBuilder(words).directory(home.folder().toFile());
        if (!arguments.has("stdin")) {
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        var environment = new HashMap<String, String>();
        arguments
                .path("environment")
                .properties()
                .forEach(one -> environment.put(one.getKey(), one.getValue().asString()));
        environment.put("IDEMPOTENCY_KEY", arguments.get("idempotencyKey").asString());
        home.environment(builder, environment);
        return builder;
    }

    private static ToolOutput ended(Process process, JsonNode arguments, ProcessTree tree) throws IOException {
        var printed = new PrintedOutput(MOST, process);
        var input = Thread.ofVirtual()
                .start(() -> feed(process, arguments.path("stdin").asString("")));
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
            return new ToolOutput.Failed("the command was ended before its end; what it did until then is done");
        }
        if (printed.isTooMuch()) {
            return new ToolOutput.Failed(
                    "the command printed more than 1 MiB and was ended; what it did until then is done");
        }
        return ToolOutput.of(JsonMapper.shared()
                .createObjectNode()
                .put("code", process.exitValue())
                .put("stdout", printed.stdout())
                .put("stderr", printed.stderr())
                .toString());
    }

    /** A command need not read what it is given. */
    private static void feed(Process process, String text) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // it has ended, or has closed it
        }
    }
}
