package dev.parley.tools.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.config.ContainersConfig;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a container of a workflow, at most once, with the command line of a container engine. The container has no
 * capabilities and cannot gain any; it has the network, memory and CPUs that the operator configures, an environment
 * and standard input, and no folder of this machine. It is removed when it ends. The tool is hidden from models.
 *
 * <p>The result is {@code {"code", "stdout", "stderr"}}. A container that prints too much, or whose call is cancelled,
 * is removed, also when it outlives the engine's command.
 */
public final class ContainerTool implements Tool {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerTool.class);

    /** The name in the ledger. */
    public static final String NAME = "workflow_container";

    private static final Duration REMOVE_TIMEOUT = Duration.ofSeconds(15);

    private static final ToolSpec SPEC = new ToolSpec(
                    NAME, "Runs a container of a workflow.", """
            {"type":"object","properties":{\
            "image":{"type":"string"},"pull":{"type":"string","enum":["always","missing","never"]},\
            "command":{"type":"string"},\
            "arguments":{"type":"array","items":{"type":"string"}},\
            "environment":{"type":"object","additionalProperties":{"type":"string"}},\
            "stdin":{"type":"string"},\
            "idempotencyKey":{"type":"string"}},\
            "required":["image","pull","idempotencyKey"],"additionalProperties":false}""", ToolEffect.AT_MOST_ONCE, Duration.ofDays(1))
            .with(ToolAccess.EXECUTE);

    private final ContainersConfig config;

    public ContainerTool(ContainersConfig config) {
        this.config = config;
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws IOException {
        String name = "parley-" + call.callId();
        try (TemporaryHome home = TemporaryHome.make()) {
            ProcessBuilder engine = engine(runCommand(name, environment(arguments, home), arguments), home);
            ToolOutput output = RunningProgram.run(
                    "container", engine, arguments.path("stdin").asText(null), home);
            if (output instanceof ToolOutput.Failed) {
                remove(name, home);
            }
            return output;
        }
    }

    private ProcessBuilder engine(List<String> command, TemporaryHome home) {
        var engine = new ProcessBuilder(command).directory(home.folder().toFile());
        home.environment(engine, Map.of());
        return engine;
    }

    /**
     * The environment as a file: unlike arguments it is not visible to other users, and does not affect the engine
     * itself.
     */
    private static Path environment(JsonNode arguments, TemporaryHome home) throws IOException {
        var lines = new ArrayList<String>();
        arguments
                .path("environment")
                .properties()
                .forEach(variable ->
                        lines.add(variable.getKey() + "=" + variable.getValue().asText()));
        lines.add("IDEMPOTENCY_KEY=" + arguments.get("idempotencyKey").asText());
        return Files.write(home.folder().resolve("environment"), lines);
    }

    private List<String> runCommand(String name, Path environment, JsonNode arguments) {
        var command = new ArrayList<>(List.of(config.program(), "run", "--rm", "--init", "--interactive"));
        Collections.addAll(command, "--name", name, "--label", "dev.parley=workflow");
        Collections.addAll(command, "--network", config.network(), "--memory", config.memory());
        Collections.addAll(command, "--cpus", config.cpus(), "--pids-limit", "512");
        Collections.addAll(command, "--cap-drop", "ALL", "--security-opt", "no-new-privileges");
        Collections.addAll(command, "--pull", arguments.get("pull").asText());
        Collections.addAll(command, "--env-file", environment.toString());
        String image = arguments.get("image").asText();
        if (arguments.has("command")) {
            String script = arguments.get("command").asText();
            Collections.addAll(command, "--entrypoint", "/bin/sh", image, "-c", script, "sh");
        } else {
            command.add(image);
        }
        arguments.path("arguments").forEach(argument -> command.add(argument.asText()));
        return command;
    }

    /** Removes the container after the engine's command ended early. It may be gone already. */
    private void remove(String name, TemporaryHome home) {
        boolean interrupted = Thread.interrupted();
        try {
            Process process = engine(List.of(config.program(), "rm", "--force", name), home)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(REMOVE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("container", name).setCause(e).log("container could not be removed");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
