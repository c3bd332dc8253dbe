package dev.parley.domain.definition;

import dev.parley.domain.Coded;

/** The texts that a guardrail checks. */
public enum GuardrailStage implements Coded {
    /** Inputs of a turn, before the model reads them. */
    INPUT,
    /** Answers of the model, before they are published. */
    OUTPUT;
}
