package dev.parley.domain.definition;

import java.util.Locale;

/** What a guardrail looks at. */
public enum GuardrailStage {
    /** What comes in to a turn, before a model is shown it. */
    INPUT,
    /** What a model says, before anybody else is shown it. */
    OUTPUT;

    /** As tools and people write it. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
