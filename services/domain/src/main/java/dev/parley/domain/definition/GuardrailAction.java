package dev.parley.domain.definition;

import dev.parley.domain.Coded;

/** The action of a guardrail on a text. */
public enum GuardrailAction implements Coded {
    /** The text passes unchanged. */
    ALLOW,
    /** The text is withheld, and the turn ends. */
    BLOCK,
    /** The text is replaced. */
    REWRITE;
}
