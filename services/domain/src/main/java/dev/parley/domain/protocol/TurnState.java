package dev.parley.domain.protocol;

/** The published state of a turn. The last three are final. */
public enum TurnState {
    QUEUED,
    RUNNING_MODEL,
    WAITING_TOOL,
    WAITING_APPROVAL,
    WAITING_CHILD,
    /** Never produced; kept because released schemas contain it. */
    WAITING_HISTORY,
    COMPLETED,
    FAILED,
    CANCELLED;

    /** Whether the state is final. */
    public boolean isFinal() {
        return compareTo(COMPLETED) >= 0;
    }
}
