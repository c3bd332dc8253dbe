package dev.parley.domain.access;

import dev.parley.domain.Coded;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The role of a member in a project. */
public enum ProjectRole implements Coded {
    /** Read access. */
    VIEWER(EnumSet.of(
            Capability.PROJECT_READ,
            Capability.MEMBER_READ,
            Capability.SESSION_READ,
            Capability.FILE_READ,
            Capability.MEMORY_READ,
            Capability.AGENT_READ,
            Capability.WORKFLOW_READ)),
    /** Read and write access. */
    MEMBER(with(
            VIEWER,
            Capability.SESSION_CREATE,
            Capability.SESSION_SEND,
            Capability.SESSION_SHARE,
            Capability.FILE_WRITE,
            Capability.MEMORY_WRITE,
            Capability.WORKFLOW_RUN)),
    /** Everything except deleting the project. */
    ADMIN(with(
            MEMBER,
            Capability.SESSION_READ_ALL,
            Capability.PROJECT_UPDATE,
            Capability.PROJECT_EXPORT,
            Capability.MEMBER_MANAGE,
            Capability.BOT_READ,
            Capability.BOT_MANAGE,
            Capability.AGENT_MANAGE,
            Capability.WORKFLOW_MANAGE,
            Capability.OPS_READ,
            Capability.AUDIT_READ)),
    /** Everything; each project has exactly one owner, or none. */
    OWNER(with(ADMIN, Capability.PROJECT_DELETE));

    private final Set<Capability> capabilities;

    ProjectRole(Set<Capability> capabilities) {
        this.capabilities = capabilities;
    }

    private static Set<Capability> with(ProjectRole lower, Capability... additional) {
        var combined = EnumSet.copyOf(lower.capabilities);
        combined.addAll(Arrays.asList(additional));
        return combined;
    }

    /** Whether the role allows a capability. */
    public boolean allows(Capability capability) {
        return capabilities.contains(capability);
    }
}
