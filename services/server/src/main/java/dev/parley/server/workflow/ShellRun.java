package dev.parley.server.workflow;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolWorker;
import dev.parley.tools.command.CommandTool;
import dev.parley.workflows.work.CallException;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** {@code run: shell}: an operating-system command, where the operator allows it. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true", beans = ToolWorker.class)
final class ShellRun extends CommandRun {
    private final CommandTool command = new CommandTool();
    private final boolean allowed;

    ShellRun(ToolWorker worker, ParleyConfig config) {
        super("shell", worker);
        allowed = config.workflows().shell();
    }

    @Override
    Tool tool() throws CallException {
        if (!allowed) {
            throw CallException.configuration(
                    "this server runs no commands: parley.yml does not say workflows: { shell: true }");
        }
        return command;
    }

    @Override
    String displayName() {
        return "command";
    }
}
