package dev.parley.domain.definition;

/** Reasoning effort of a model; each provider maps it to its own parameters. */
public enum ThinkingLevel {
    NONE,
    LOW,
    MEDIUM,
    HIGH
}
