package dev.parley.domain.turn;

/** What a host has defined, as it stands on {@code definitions}. */
public sealed interface Definition permits Agent, ToolSpec {
    /** Its name among those of its kind. */
    String name();

    /** Its key on {@code definitions}: {@code agent/{name}} or {@code tool/{name}}. */
    default String key() {
        return switch (this) {
            case Agent agent -> "agent/" + agent.name();
            case ToolSpec tool -> "tool/" + tool.name();
        };
    }
}
