package dev.parley.domain.protocol;

/** The reason why a model stopped generating, in one vocabulary for all providers. */
public enum FinishReason {
    STOP,
    TOOL_CALLS,
    LENGTH,
    ERROR,
    CONTENT_FILTER,
    CANCELLED,
    UNKNOWN
}
