package dev.parley.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody may be allowed to do: in a project, or in the whole host. */
public enum Capability {
    /** Know that the project is there, and read what it says about itself. */
    PROJECT_READ(true),
    /** Change its name, settings and the like. */
    PROJECT_UPDATE(true),
    /** Archive and restore it, hand it over, and delete it. */
    PROJECT_DELETE(true),
    /** Take a copy of everything in it. */
    PROJECT_EXPORT(true),
    /** See who is in it. */
    MEMBER_READ(true),
    /** Invite, change and remove members. */
    MEMBER_MANAGE(true),
    /** Read one's own sessions, and those of all where the project shares them. */
    SESSION_READ(true),
    /** Read and lead everybody's sessions. */
    SESSION_READ_ALL(true),
    /** Begin sessions. */
    SESSION_CREATE(true),
    /** Say something in sessions, stop and change them. */
    SESSION_SEND(true),
    /** Show a session to anybody who has a link. */
    SESSION_SHARE(true),
    /** Read files. */
    FILE_READ(true),
    /** Bring files in. */
    FILE_WRITE(true),
    /** Read what is remembered: one's own banks, and those of agents. */
    MEMORY_READ(true),
    /** Have something remembered, and change what is one's own memory. */
    MEMORY_WRITE(true),
    /** See how bots are, and what they delivered. */
    BOT_READ(true),
    /** Say who may talk to bots. */
    BOT_MANAGE(true),
    /** See which agents there are, and how they are defined. */
    AGENT_READ(true),
    /** Define, change and remove agents. */
    AGENT_MANAGE(true),
    /** See which workflows there are, and how their processes are. */
    WORKFLOW_READ(true),
    /** Start processes of workflows, and answer what they ask people. */
    WORKFLOW_RUN(true),
    /** Publish and delete workflows, and stop, pause and repair processes. */
    WORKFLOW_MANAGE(true),
    /** See figures about all sessions. */
    OPS_READ(true),
    /** Read what was done in the project, and by whom. */
    AUDIT_READ(true),

    /** Make projects. */
    PROJECT_CREATE(false),
    /** Make and revoke one's own keys of the API. */
    KEY_MANAGE(false),
    /** Keep one's own keys of model providers. */
    CREDENTIAL_MANAGE(false),
    /** Answer over MCP what people are asked, in one's own name: a key has to name it, for it may be a model's. */
    MCP_ANSWER(false),
    /** Change what is one's own: the profile, the password. */
    PROFILE_WRITE(false),
    /** See all people of the host. */
    USER_READ(false),
    /** Make, change and remove people. */
    USER_MANAGE(false),
    /** Read and change the host's settings, prices and credentials. */
    SETTING_MANAGE(false),
    /** Read what was done in the whole host. */
    HOST_AUDIT(false),
    /** Make and change hosts: for administrators of the installation's own. */
    HOST_MANAGE(false);

    private final boolean inProject;
    private final String code;

    Capability(boolean inProject) {
        this.inProject = inProject;
        int first = name().indexOf('_');
        this.code = (name().substring(0, first) + "." + name().substring(first + 1)).toLowerCase(Locale.ROOT);
    }

    /** Its name in JSON and settings, for example {@code session.create}. */
    public String code() {
        return code;
    }

    /** Whether it is about one project rather than the host. */
    public boolean inProject() {
        return inProject;
    }

    /** Whether keys have to name it, as it is not among all that they open. */
    boolean isNamed() {
        return this == MCP_ANSWER;
    }

    /** Whether it changes nothing: it is left in a project that is archived. */
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

    /** The capability with this name. */
    public static Optional<Capability> of(String code) {
        return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
    }
}
