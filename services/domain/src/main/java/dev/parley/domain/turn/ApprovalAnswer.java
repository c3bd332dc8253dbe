package dev.parley.domain.turn;

/** What became of the question whether a tool call may be carried out. */
public enum ApprovalAnswer {
    /** It may, this time. */
    ONCE,
    /** It may, and whatever is the same in this session. */
    SESSION,
    /** It may, and whatever is the same in all sessions of the project. */
    PROJECT,
    /** It may, and whatever is the same in all projects of the host. */
    HOST,
    /** It may not. */
    REJECT,
    /** Nobody answered in time: it may not. */
    EXPIRED;

    /** Whether the call is carried out. */
    public boolean allows() {
        return this != REJECT && this != EXPIRED;
    }
}
