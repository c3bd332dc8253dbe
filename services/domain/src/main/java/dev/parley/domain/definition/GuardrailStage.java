package dev.parley.domain.definition;

import dev.parley.domain.Coded;

/** What a guardrail looks at. */
public enum GuardrailStage implements Coded {
    /** What comes in to a turn, before a model is shown it. */
    INPUT,
    /** Answers of the model, before anybody reads them. */
    OUTPUT;
}
