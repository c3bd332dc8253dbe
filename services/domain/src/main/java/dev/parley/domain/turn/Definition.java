package dev.parley.domain.turn;

/** What the installation, a host or a project has defined, as it stands on {@code definitions}. */
public sealed interface Definition permits Agent, ToolSpec, DefinedRule {
    /** Its name among those of its kind. */
    String name();

    /** What it defines: {@code agent}, {@code tool} or {@code permission}. */
    default String kind() {
        return switch (this) {
            case Agent _ -> "agent";
            case ToolSpec _ -> "tool";
            case DefinedRule _ -> "permission";
        };
    }
}
