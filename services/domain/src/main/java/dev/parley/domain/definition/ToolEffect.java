package dev.parley.domain.definition;

/** What may be done with a tool call whose worker died in the middle of it. */
public enum ToolEffect {
    /** Run it again: twice is as good as once. */
    IDEMPOTENT,
    /** Ask the tool whether it happened. */
    RECONCILABLE,
    /** Never run it again: its outcome is unknown until a person decides. */
    AT_MOST_ONCE
}
