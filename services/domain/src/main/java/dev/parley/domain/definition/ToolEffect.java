package dev.parley.domain.definition;

/** Handling of a tool call whose worker crashed during it. */
public enum ToolEffect {
    /** Retried: repeating the call has no further effect. */
    IDEMPOTENT,
    /** The tool is asked whether the call took effect. */
    RECONCILABLE,
    /** Never retried: the result is unknown until a person decides. */
    AT_MOST_ONCE
}
