package dev.parley.domain.definition;

/** What the installation, a host or a project has defined, as it stands on {@code definitions}. */
public sealed interface Definition permits Agent, ToolSpec, DefinedTool, Endpoint, Skill, DefinedRule {
    /** Its name among those of its kind. */
    String name();

    /** Its name on the topic: versions of a tool or a skill that somebody defined stand side by side. */
    default String recordName() {
        return switch (this) {
            case DefinedTool tool -> tool.name() + "@" + tool.spec().version();
            case Skill skill -> skill.name() + "@" + skill.version();
            case Agent _, ToolSpec _, Endpoint _, DefinedRule _ -> name();
        };
    }

    /** What it defines: {@code agent}, {@code tool}, {@code endpoint}, {@code skill} or {@code permission}. */
    default String kind() {
        return switch (this) {
            case Agent _ -> "agent";
            case ToolSpec _, DefinedTool _ -> "tool";
            case Endpoint _ -> "endpoint";
            case Skill _ -> "skill";
            case DefinedRule _ -> "permission";
        };
    }
}
