package dev.parley.domain.memory;

import dev.parley.domain.Coded;

/** What kind of thing a unit of memory is. */
public enum FactType implements Coded {
    /** About others and the world outside; also what a person says of themselves. */
    WORLD,
    /** What the agent itself did, said or was answered. */
    EXPERIENCE,
    /** A judgement of the agent, with a confidence that evidence changes. */
    OPINION,
    /** Made of several facts that say the same, by consolidation. */
    OBSERVATION,
    /** A standing answer to a question, made anew when what it rests on changes. */
    MENTAL_MODEL;

    /** Whether it is what somebody said or did, and nothing that was made of that. */
    boolean isFact() {
        return this == WORLD || this == EXPERIENCE;
    }
}
