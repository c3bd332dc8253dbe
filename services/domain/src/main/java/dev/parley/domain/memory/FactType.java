package dev.parley.domain.memory;

import dev.parley.domain.Coded;

/** The type of a memory unit. */
public enum FactType implements Coded {
    /** About the world; also what users say about themselves. */
    WORLD,
    /** An action or statement of the agent, or a statement to it. */
    EXPERIENCE,
    /** A judgement of the agent, with a confidence that evidence changes. */
    OPINION,
    /** A statement of several facts, made by consolidation. */
    OBSERVATION,
    /** A standing answer to a question, refreshed when its facts change. */
    MENTAL_MODEL;

    /** Whether units of this type are facts from a text, not derived from other units. */
    public boolean isFact() {
        return this == WORLD || this == EXPERIENCE;
    }
}
