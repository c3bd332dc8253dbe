package dev.parley.domain.definition;

import dev.parley.domain.Coded;

/** What a guardrail does about a text. */
public enum GuardrailAction implements Coded {
    /** The text goes on as it is. */
    ALLOW,
    /** Nobody gets it, and the turn ends. */
    BLOCK,
    /** Another text takes its place. */
    REWRITE;
}
