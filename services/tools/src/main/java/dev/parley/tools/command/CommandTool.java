package dev.parley.tools.command;

import com.fasterxml.jackson.databind.JsonNode;
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

/**
 * Runs a command of a workflow, at most once: {@code /bin/sh -c command} with arguments, an environment and standard
 * input. It is hidden from models. The command runs in an empty temporary folder with none of Parley's environment, and
 * all its descendants are killed when it ends. It has the rights of the operating system user that runs Parley.
 *
 * <p>The result is {@code {"code", "stdout", "stderr"}}. A command that prints more than
 * {@value RunningProgram#MAX_OUTPUT} bytes, or whose call is cancelled, is killed; its effects remain.
 */
public final class CommandTool implements Tool {
    /** The name in the ledger. */
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
                    "command", builder(arguments, home), arguments.path("stdin").asText(null), home);
        }
    }

    private static ProcessBuilder builder(JsonNode arguments, TemporaryHome home) {
        // the outer shell passes its arguments to the inner one, whose command may begin with a dash
        var command = new ArrayList<>(List.of(SHELL, "-c", "ulimit -c 0; exec " + SHELL + " -c -- \"$@\"", SHELL));
        command.add(arguments.get("command").asText());
        command.add(SHELL);
        arguments.path("arguments").forEach(argument -> command.add(argument.asText()));
        var builder = new ProcessBuilder(command).directory(home.folder().toFile());
        var environment = new HashMap<String, String>();
        arguments
                .path("environment")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asText()));
        environment.put("IDEMPOTENCY_KEY", arguments.get("idempotencyKey").asText());
        home.environment(builder, environment);
        return builder;
    }
}
