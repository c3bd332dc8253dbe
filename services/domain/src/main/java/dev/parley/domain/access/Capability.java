package dev.parley.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A capability in a project, or in the whole host. */
public enum Capability {
    /** See the project and its settings. */
    PROJECT_READ(true),
    /** Change the project's name and settings. */
    PROJECT_UPDATE(true),
    /** Archive, restore, transfer and delete the project. */
    PROJECT_DELETE(true),
    PROJECT_EXPORT(true),
    /** List members. */
    MEMBER_READ(true),
    /** Invite, change and remove members. */
    MEMBER_MANAGE(true),
    /** Read own sessions, and those of others if the project shares them. */
    SESSION_READ(true),
    /** Read and control all sessions. */
    SESSION_READ_ALL(true),
    SESSION_CREATE(true),
    /** Send messages to sessions, cancel turns and change sessions. */
    SESSION_SEND(true),
    /** Create public links to sessions. */
    SESSION_SHARE(true),
    /** Read files. */
    FILE_READ(true),
    /** Upload files. */
    FILE_WRITE(true),
    /** Read memories: the user's own banks, and those of agents. */
    MEMORY_READ(true),
    /** Retain memories, and change the user's own banks. */
    MEMORY_WRITE(true),
    /** See the status and deliveries of bots. */
    BOT_READ(true),
    /** Manage who may use bots. */
    BOT_MANAGE(true),
    /** See agents and their definitions. */
    AGENT_READ(true),
    /** Create, change and delete agents. */
    AGENT_MANAGE(true),
    /** See workflows and the status of their processes. */
    WORKFLOW_READ(true),
    /** Start workflow processes, and answer their tasks. */
    WORKFLOW_RUN(true),
    /** Publish and delete workflows; cancel, suspend and repair processes. */
    WORKFLOW_MANAGE(true),
    /** See metrics of all sessions. */
    OPS_READ(true),
    /** Read the project's audit log. */
    AUDIT_READ(true),

    PROJECT_CREATE(false),
    /** Create and revoke own API keys. */
    KEY_MANAGE(false),
    /** Store own API keys of model providers. */
    CREDENTIAL_MANAGE(false),
    /**
     * Answer approvals over MCP in the user's own name. Keys must name it explicitly, as an MCP client may be a model.
     */
    MCP_ANSWER(false),
    /** Change the own profile and password. */
    PROFILE_WRITE(false),
    /** List the users of the host. */
    USER_READ(false),
    /** Create, change and remove users. */
    USER_MANAGE(false),
    /** Read and change the host's settings, prices and credentials. */
    SETTING_MANAGE(false),
    /** Read the host's audit log. */
    HOST_AUDIT(false),
    /** Create and change hosts; for administrators of the installation's own host. */
    HOST_MANAGE(false);

    private final boolean inProject;
    private final String code;

    Capability(boolean inProject) {
        this.inProject = inProject;
        int first = name().indexOf('_');
        this.code = (name().substring(0, first) + "." + name().substring(first + 1)).toLowerCase(Locale.ROOT);
    }

    /** The name in JSON and settings, for example {@code session.create}. */
    public String code() {
        return code;
    }

    /** Whether the capability concerns a project, not the host. */
    public boolean inProject() {
        return inProject;
    }

    /** Whether keys must name the capability explicitly, as {@code *} does not include it. */
    boolean isNamed() {
        return this == MCP_ANSWER;
    }

    /** Whether the capability is read-only, and so available in archived projects. */
    boolean reads() {
        return switch (this) {
            case PROJECT_READ,
                    PROJECT_DELETE,
                    PROJECT_EXPORT,
                    MEMBER_READ,
                    SESSION_READ,
                    SESSION_READ_ALL,
                    FILE_READ,
                    MEMORY_READ,
                    BOT_READ,
                    AGENT_READ,
                    WORKFLOW_READ,
                    OPS_READ,
                    AUDIT_READ -> true;
            default -> false;
        };
    }

    /** The capability with this {@link #code}. */
    public static Optional<Capability> of(String code) {
        return Arrays.stream(values())
                .filter(capability -> capability.code.equals(code))
                .findFirst();
    }
}
