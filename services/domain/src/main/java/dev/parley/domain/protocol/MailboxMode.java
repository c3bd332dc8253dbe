package dev.parley.domain.protocol;

/** What becomes of a message that arrives while a turn is active. */
public enum MailboxMode {
    /** It waits, and becomes the next turn. */
    FOLLOWUP,
    /** It joins the active turn before that turn's next model call. */
    STEER,
    /** It joins the other messages that wait, and all become one turn. */
    COLLECT,
    /** The active turn is cancelled and this one takes its place. */
    INTERRUPT,
    /** It is refused with {@code session_busy}. */
    REJECT
}
