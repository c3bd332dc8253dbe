package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.WorkflowsSection;
import org.jspecify.annotations.Nullable;

/**
 * Settings of workflows. Who may use them is in {@link ParleyConfig#powers}.
 *
 * @param mockOutputs whether agent calls return the mock outputs of their definition
 * @param containers settings for containers; null if they are not allowed
 * @param brokers allowed brokers, and topics with events
 */
public record WorkflowsConfig(boolean mockOutputs, @Nullable ContainersConfig containers, BrokersConfig brokers) {
    /** The defaults. */
    public static final WorkflowsConfig DEFAULT = new WorkflowsConfig(false, null, BrokersConfig.NONE);

    static WorkflowsConfig of(@Nullable WorkflowsSection section) {
        return section == null
                ? DEFAULT
                : new WorkflowsConfig(
                        Boolean.TRUE.equals(section.mockOutputs()),
                        ContainersConfig.of(section.containers()),
                        BrokersReader.brokers(section));
    }
}
