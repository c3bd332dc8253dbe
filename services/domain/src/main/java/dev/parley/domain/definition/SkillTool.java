package dev.parley.domain.definition;

import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool that comes with a skill.
 *
 * @param version to use, or null for the newest
 * @param access maximum access that the skill grants
 * @param arguments a JSON object of preset arguments
 * @param locked whether the presets override the model's arguments; otherwise they are defaults
 */
public record SkillTool(
        @Field(required = true, form = Form.LINE, length = 64)
        String tool,

        @Field(length = 32, pattern = Definition.VERSION, problem = Definition.NO_VERSION) @Nullable
        String version,

        @Field(fallback = "execute") ToolAccess access,
        @Field(form = Form.OBJECT, length = 4_096) String arguments,
        @Field boolean locked) {
    public static final String NOTHING = "{}";

    public SkillTool {
        Objects.requireNonNull(tool, "tool");
        arguments = arguments.isEmpty() ? NOTHING : arguments;
    }

    /** Whether the skill limits calls of this tool: it fixes arguments, or grants less access than the tool has. */
    boolean limits(ToolSpec spec) {
        return spec.name().equals(tool) && (locked || !access.covers(spec.access()));
    }

    /** The newest version of a tool, with all its access. */
    public static SkillTool of(String tool) {
        return new SkillTool(tool, null, ToolAccess.EXECUTE, NOTHING, false);
    }
}
