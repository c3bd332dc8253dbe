package dev.parley.domain.protocol;

/** Handling of a message that arrives during an active turn. */
public enum MailboxMode {
    /** It is queued and becomes the next turn. */
    FOLLOWUP,
    /** It joins the active turn before that turn's next model call. */
    STEER,
    /** It joins the queued messages, which together become one turn. */
    COLLECT,
    /** The active turn is cancelled, and this message becomes the next one. */
    INTERRUPT,
    /** It is rejected with {@code session_busy}. */
    REJECT
}
