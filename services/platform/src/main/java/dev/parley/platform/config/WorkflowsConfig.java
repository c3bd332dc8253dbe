package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.WorkflowsSection;
import org.jspecify.annotations.Nullable;

/**
 * Limits and permissions of workflows.
 *
 * @param mockOutputs whether agents give what a definition has in place of their answer, instead of being asked
 * @param shell whether they may run commands of the shell
 * @param containers how they may run containers; null where they may not
 * @param brokers which brokers definitions may reach, and which topics have events for them
 */
public record WorkflowsConfig(
        boolean mockOutputs, boolean shell, @Nullable ContainersConfig containers, BrokersConfig brokers) {
    /** What they may do where nothing is said. */
    public static final WorkflowsConfig STANDARD = new WorkflowsConfig(false, false, null, BrokersConfig.NONE);

    static WorkflowsConfig of(@Nullable WorkflowsSection written) {
        return written == null
                ? STANDARD
                : new WorkflowsConfig(
                        Boolean.TRUE.equals(written.mockOutputs()),
                        Boolean.TRUE.equals(written.shell()),
                        ContainersConfig.of(written.containers()),
                        BrokersReader.brokers(written));
    }
}
