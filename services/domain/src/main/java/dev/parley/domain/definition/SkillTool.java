package dev.parley.domain.definition;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool that goes with a skill.
 *
 * @param version that is used, or null for the newest
 * @param access what the skill lets be done with it
 * @param arguments a JSON object of arguments that every call has
 * @param locked whether these go before what the model says; else they stand in for what it leaves out
 */
public record SkillTool(String tool, @Nullable String version, ToolAccess access, String arguments, boolean locked) {
    /** No arguments. */
    public static final String NOTHING = "{}";

    public SkillTool {
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(arguments, "arguments");
    }

    /** The newest version of a tool, which may do all that it does. */
    public static SkillTool of(String tool) {
        return new SkillTool(tool, null, ToolAccess.EXECUTE, NOTHING, false);
    }
}
