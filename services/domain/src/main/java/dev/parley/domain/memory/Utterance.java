package dev.parley.domain.memory;

import dev.parley.domain.content.Role;
import org.jspecify.annotations.Nullable;

/**
 * A part of a document: the words of one speaker.
 *
 * @param role {@code USER} for people, {@code ASSISTANT} for the agent, {@code TOOL} for a tool's result
 * @param speaker name, or null if unknown
 */
public record Utterance(Role role, @Nullable String speaker, String text) {
    /** Role, speaker and text as a string to hash. It must not change: hashes and ids of stored documents use it. */
    public String hashInput() {
        return role + "\u0001" + speaker + "\u0001" + text;
    }

    /** The type of facts in this part. */
    public FactType type() {
        return switch (role) {
            case USER -> FactType.WORLD;
            case ASSISTANT, TOOL -> FactType.EXPERIENCE;
        };
    }
}
