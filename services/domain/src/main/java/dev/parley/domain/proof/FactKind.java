package dev.parley.domain.proof;

/** What a record says that a proof needs. */
public enum FactKind {
    /** Somebody wants something of the session. */
    COMMAND,
    /** A turn that comes with an import: nobody said it here. */
    IMPORTED,
    /** What became of a command, or how a turn ended, as the session's store remembers it. */
    OUTCOME,
    /** The session was opened. */
    OPENED,
    /** All that happened before was erased. */
    ERASED,
    /** A turn was taken in. */
    ACCEPTED,
    /** A turn began. */
    STARTED,
    /** A turn ended. */
    ENDED,
    /** A tool call was handed out, the first time or again. */
    CALL,
    /** A tool call may not be carried out. */
    DENIED,
    /** A tool call has its result. */
    CALL_ENDED,
    /** A person found out what became of a call. */
    SETTLED,
    /** A person is asked. */
    QUESTION,
    /** A question has its answer, or nobody answered in time. */
    ANSWER,
    /** Any other event: only its number matters. */
    EVENT,
    /** An event was removed. */
    TOMBSTONE,
    /** Something to deliver to a chat. */
    REPLY,
    /** A record that could not be processed was put aside. */
    DEAD_LETTER,
    /** A record that is none of its topic's, or stands where it does not belong. */
    FOREIGN;

    /** Whether it is an event, and has a number in the life of its session. */
    boolean isEvent() {
        return switch (this) {
            case OPENED, ERASED, ACCEPTED, STARTED, ENDED, CALL, DENIED, CALL_ENDED, SETTLED, QUESTION, ANSWER, EVENT ->
                true;
            case COMMAND, IMPORTED, OUTCOME, TOMBSTONE, REPLY, DEAD_LETTER, FOREIGN -> false;
        };
    }
}
