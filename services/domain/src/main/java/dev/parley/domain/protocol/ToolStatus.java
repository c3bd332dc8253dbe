package dev.parley.domain.protocol;

/** Status of a tool call; it only advances. {@code UNKNOWN} is an error that a person may resolve later. */
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
