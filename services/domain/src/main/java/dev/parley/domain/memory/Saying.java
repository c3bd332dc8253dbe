package dev.parley.domain.memory;

import dev.parley.domain.content.Role;
import org.jspecify.annotations.Nullable;

/**
 * A part of a document: what one side said.
 *
 * @param role {@code USER} for people, {@code ASSISTANT} for the agent itself, {@code TOOL} for what a tool answered to it
 * @param speaker a name, or null where none is known
 */
public record Saying(Role role, @Nullable String speaker, String text) {
    /** What kind of thing it is that is said here. */
    public FactType type() {
        return switch (role) {
            case USER -> FactType.WORLD;
            case ASSISTANT, TOOL -> FactType.EXPERIENCE;
        };
    }
}
