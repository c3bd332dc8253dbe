package dev.parley.domain.access;

/** How a user stands to a session, which decides about every use of it. */
public enum SessionStanding {
    /** Another user's session, which does not exist for them. */
    OUTSIDER,
    /** A member of a project that shares its sessions, in the session of another user. */
    GUEST,
    /** The user to whom the session belongs. */
    OWNER,
    /** Leads the project. */
    LEADER;

    /** Uses of a session. */
    public enum Use {
        /** Read everything that its owner reads, and copy it into an own session. */
        READ,
        /** Send messages; cancel and revise own turns, and answer what they ask. */
        WRITE,
        /**
         * Change the session or what another user did in it: title, settings, rules, context and files, others' turns,
         * links; archive, delete, erase it.
         */
        MANAGE
    }

    /**
     * @param shares whether the project shares its sessions with the user
     * @param leads whether the user leads the project
     */
    public static SessionStanding of(boolean owns, boolean shares, boolean leads) {
        return leads ? LEADER : owns ? OWNER : shares ? GUEST : OUTSIDER;
    }

    /** Whether the user may do this; what kind of request asks for it is for capabilities to decide. */
    public boolean allows(Use use) {
        return switch (this) {
            case OUTSIDER -> false;
            case GUEST -> use != Use.MANAGE;
            case OWNER, LEADER -> true;
        };
    }
}
