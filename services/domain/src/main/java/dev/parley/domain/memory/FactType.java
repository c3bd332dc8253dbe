package dev.parley.domain.memory;

import dev.parley.domain.Coded;

/** The type of a memory unit. */
public enum FactType implements Coded {
    /** About the world; also what users say about themselves. */
    WORLD,
    /** What the agent did, said or was told. */
    EXPERIENCE,
    /** A judgement of the agent, with a confidence that evidence changes. */
    OPINION,
    /** A statement of several facts, made by consolidation. */
    OBSERVATION,
    /** A standing answer to a question, refreshed when its facts change. */
    MENTAL_MODEL;

    /** Whether it is what somebody said or did, and nothing that was made of that. */
    boolean isFact() {
        return this == WORLD || this == EXPERIENCE;
    }
}
