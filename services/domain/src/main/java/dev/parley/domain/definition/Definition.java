package dev.parley.domain.definition;

/** A definition of the installation, a host or a project, as published on {@code definitions}. */
public sealed interface Definition permits Agent, ToolSpec, DefinedTool, Endpoint, Skill, DefinedRule {
    /** Pattern of the versions of tools and skills, such as {@code 1.10.0} and {@code 2.0.0-beta.1}. */
    String VERSION = "(?!.*(\\.\\.|-\\.|\\.$))\\d{1,9}(\\.\\d{1,9}){0,3}(-[A-Za-z0-9.]{1,20})?";

    /** The problem of an invalid version. */
    String NO_VERSION = "must be a version such as 1.0.0 or 2.0.0-beta.1";

    /** The version of what names none. */
    String FIRST_VERSION = "1.0.0";

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
