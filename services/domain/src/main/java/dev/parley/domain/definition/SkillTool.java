package dev.parley.domain.definition;

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
public record SkillTool(String tool, @Nullable String version, ToolAccess access, String arguments, boolean locked) {
    public static final String NOTHING = "{}";

    public SkillTool {
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(arguments, "arguments");
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
