package dev.parley.domain.proof;

public enum FactKind {
    COMMAND,
    /** A turn of an imported session. */
    IMPORTED,
    /** The stored outcome of a command or a turn. */
    OUTCOME,
    /** The session was opened. */
    OPENED,
    /** The session was erased. */
    ERASED,
    /** A turn was accepted. */
    ACCEPTED,
    /** A turn started. */
    STARTED,
    /** A turn ended. */
    ENDED,
    /** A tool call was sent, first or repeated. */
    CALL,
    /** A tool call was denied. */
    DENIED,
    /** A tool call has its result. */
    CALL_ENDED,
    /** A person resolved an unknown call. */
    SETTLED,
    /** An approval was requested. */
    APPROVAL_REQUESTED,
    /** An approval was decided, or timed out. */
    APPROVAL_DECIDED,
    /** Any other event: only its number matters. */
    EVENT,
    /** An event was removed. */
    TOMBSTONE,
    /** A reply to deliver to a chat. */
    REPLY,
    /** A record was dead-lettered. */
    DEAD_LETTER,
    /** A record that does not belong to its topic or partition. */
    FOREIGN;

    /** Whether the record is a numbered event of its session. */
    boolean isEvent() {
        return switch (this) {
            case OPENED,
                    ERASED,
                    ACCEPTED,
                    STARTED,
                    ENDED,
                    CALL,
                    DENIED,
                    CALL_ENDED,
                    SETTLED,
                    APPROVAL_REQUESTED,
                    APPROVAL_DECIDED,
                    EVENT -> true;
            case COMMAND, IMPORTED, OUTCOME, TOMBSTONE, REPLY, DEAD_LETTER, FOREIGN -> false;
        };
    }
}
