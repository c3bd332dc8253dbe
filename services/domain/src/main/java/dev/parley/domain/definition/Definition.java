package dev.parley.domain.definition;

/** A definition of the installation, a host or a project, as published on {@code definitions}. */
public sealed interface Definition permits Agent, ToolSpec, DefinedTool, Endpoint, Skill, DefinedRule {
    /** The name, unique within the kind. */
    String name();

    /** The unique name on the topic: versions of a tool or a skill are separate definitions. */
    default String recordName() {
        return switch (this) {
            case DefinedTool tool -> tool.name() + "@" + tool.spec().version();
            case Skill skill -> skill.name() + "@" + skill.version();
            case Agent _, ToolSpec _, Endpoint _, DefinedRule _ -> name();
        };
    }

    /** The kind: {@code agent}, {@code tool}, {@code endpoint}, {@code skill} or {@code permission}. */
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
