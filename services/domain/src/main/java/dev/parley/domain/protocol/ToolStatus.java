package dev.parley.domain.protocol;

/** Where a tool call stands; it only ever moves forward. {@code UNKNOWN} ends as an error that a person may settle. */
public enum ToolStatus {
    PENDING,
    RUNNING,
    COMPLETED,
    ERROR,
    UNKNOWN;

    /** Whether the call has its one result. */
    public boolean isFinal() {
        return compareTo(COMPLETED) >= 0;
    }
}
