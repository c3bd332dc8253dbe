package dev.parley.domain.definition;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A skill that an agent can load.
 *
 * @param name of the skill; {@value #ALL} for all skills
 * @param version to use, or null for the newest
 * @param priority skills with the highest priority are kept when not all fit
 * @param config agent-specific configuration, a JSON object appended to the text, or null
 */
public record AgentSkill(
        String name,
        @Nullable String version,
        int priority,
        @Nullable String config) {
    /** The name that includes all skills. */
    public static final String ALL = "*";

    public AgentSkill {
        Objects.requireNonNull(name, "name");
    }
}
