package dev.parley.domain.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What kind of thing a unit of memory is. */
public enum FactType {
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

    /** Its name in tables and for clients, for example {@code mental_model}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is what somebody said or did, and nothing that was made of that. */
    boolean isFact() {
        return this == WORLD || this == EXPERIENCE;
    }

    /** The type of this name. */
    public static Optional<FactType> of(String code) {
        return Arrays.stream(values()).filter(type -> type.code().equals(code)).findFirst();
    }
}
