package dev.parley.domain.turn;

/** Why a model stopped speaking, in one vocabulary for all providers. */
public enum FinishReason {
    STOP,
    TOOL_CALLS,
    LENGTH,
    ERROR,
    CONTENT_FILTER,
    CANCELLED,
    UNKNOWN
}
