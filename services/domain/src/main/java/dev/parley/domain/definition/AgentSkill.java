package dev.parley.domain.definition;

import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
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
        @Field(required = true, length = 64) String name,
        @Field(form = Form.LINE, length = 32) @Nullable String version,
        @Field int priority,
        @Field(form = Form.OBJECT, length = 2_048) @Nullable String config) {
    /** The name that includes all skills. */
    public static final String ALL = "*";

    public AgentSkill {
        Objects.requireNonNull(name, "name");
    }
}
