package dev.parley.domain.turn;

/** How long a model may think before it answers; each provider maps it to its own numbers. */
public enum ThinkingLevel {
    NONE,
    LOW,
    MEDIUM,
    HIGH
}
