package dev.parley.tools.command;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Runs a command of a workflow, at most once: {@code /bin/sh -c command} with arguments, an environment and standard input. No model is told
 * of it. It works in an empty folder that goes afterwards, has nothing of Parley's environment, and nothing that it started goes on when it
 * has ended. It may do what the user may as whom Parley runs.
 *
 * <p>It gives {@code {"code", "stdout", "stderr"}}. A command that prints more than {@value RunningProgram#MOST} bytes is ended, and so is one whose call
 * is to stop: what it did until then is done.
 */
public final class CommandTool implements Tool {
    /** What the ledger knows it by. */
    public static final String NAME = "workflow_shell";

    private static final String SHELL = "/bin/sh";

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
            return RunningProgram.run(
                    "command", builder(arguments, home), arguments.path("stdin").asString(null), home);
        }
    }

    private static ProcessBuilder builder(JsonNode arguments, TemporaryHome home) {
        // the outer shell gives its arguments to the inner one, whose command may begin with a dash
        var words = new ArrayList<>(List.of(SHELL, "-c", "ulimit -c 0; exec " + SHELL + " -c -- \"$@\"", SHELL));
        words.add(arguments.get("command").asString());
        words.add(SHELL);
        arguments.path("arguments").forEach(argument -> words.add(argument.asString()));
        var builder = new ProcessBuilder(words).directory(home.folder().toFile());
        var environment = new HashMap<String, String>();
        arguments
                .path("environment")
                .properties()
                .forEach(one -> environment.put(one.getKey(), one.getValue().asString()));
        environment.put("IDEMPOTENCY_KEY", arguments.get("idempotencyKey").asString());
        home.environment(builder, environment);
        return builder;
    }
}
