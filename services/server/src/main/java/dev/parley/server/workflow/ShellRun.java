package dev.parley.server.workflow;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolWorker;
import dev.parley.tools.command.CommandTool;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** {@code run: shell}: an operating-system command, for whom the operator allows it. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true", beans = ToolWorker.class)
final class ShellRun extends CommandRun {
    private final CommandTool command = new CommandTool();

    ShellRun(ToolWorker worker, ParleyConfig config) {
        super("shell", worker, config.powers());
    }

    @Override
    Power power() {
        return Power.of(Kind.WORKFLOW_SHELL);
    }

    @Override
    Tool tool() {
        return command;
    }

    @Override
    String displayName() {
        return "command";
    }
}
