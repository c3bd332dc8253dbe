package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.WorkflowsSection;
import org.jspecify.annotations.Nullable;

/**
 * What workflows may do.
 *
 * @param mockOutputs whether agents give what a definition has in place of their answer, instead of being asked
 * @param shell whether they may run commands of the shell
 */
public record WorkflowsConfig(boolean mockOutputs, boolean shell) {
    static WorkflowsConfig of(@Nullable WorkflowsSection written) {
        return written == null
                ? new WorkflowsConfig(false, false)
                : new WorkflowsConfig(Boolean.TRUE.equals(written.mockOutputs()), Boolean.TRUE.equals(written.shell()));
    }
}
