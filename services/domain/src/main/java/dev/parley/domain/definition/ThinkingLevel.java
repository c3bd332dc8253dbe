package dev.parley.domain.definition;

/** How long a model may think before it answers; each provider maps it to its own numbers. */
public enum ThinkingLevel {
    NONE,
    LOW,
    MEDIUM,
    HIGH
}
