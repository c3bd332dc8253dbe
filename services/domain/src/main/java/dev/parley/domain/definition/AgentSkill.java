package dev.parley.domain.definition;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A skill that an agent has.
 *
 * @param name of the skill; {@value #ALL} for all that there are
 * @param version that it uses, or null for the newest
 * @param priority which ones stay where there is no room for all: those with the highest
 * @param config a JSON object that stands with the text, for this agent, or null
 */
public record AgentSkill(
        String name,
        @Nullable String version,
        int priority,
        @Nullable String config) {
    /** Stands for every skill. */
    public static final String ALL = "*";

    public AgentSkill {
        Objects.requireNonNull(name, "name");
    }
}
