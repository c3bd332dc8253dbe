package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.WorkflowsSection;
import org.jspecify.annotations.Nullable;

/**
 * Limits and permissions of workflows.
 *
 * @param mockOutputs whether agent calls return the mock outputs of their definition
 * @param shell whether workflows may run shell commands
 * @param containers settings for containers; null if they are not allowed
 * @param brokers allowed brokers, and topics with events
 */
public record WorkflowsConfig(
        boolean mockOutputs, boolean shell, @Nullable ContainersConfig containers, BrokersConfig brokers) {
    /** The defaults. */
    public static final WorkflowsConfig DEFAULT = new WorkflowsConfig(false, false, null, BrokersConfig.NONE);

    static WorkflowsConfig of(@Nullable WorkflowsSection section) {
        return section == null
                ? DEFAULT
                : new WorkflowsConfig(
                        Boolean.TRUE.equals(section.mockOutputs()),
                        Boolean.TRUE.equals(section.shell()),
                        ContainersConfig.of(section.containers()),
                        BrokersReader.brokers(section));
    }
}
