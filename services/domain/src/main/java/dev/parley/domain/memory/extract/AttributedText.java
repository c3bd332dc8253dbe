package dev.parley.domain.memory.extract;

import dev.parley.domain.content.Role;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A text with its speaker and time, which are needed to interpret it.
 *
 * @param text the words
 * @param role a person, the agent, or a tool
 * @param name of the person or the tool, or null if unknown
 * @param agent name of the agent in the conversation
 * @param at reference time of relative dates
 * @param zone time zone of the speaker
 */
public record AttributedText(
        String text, Role role, @Nullable String name, String agent, Instant at, ZoneId zone) {
    /** Name of a person whose name is unknown. */
    public static final String USER = "user";

    /** The entity that "I" refers to. */
    public String speaker() {
        return switch (role) {
            case USER -> name == null || name.isBlank() ? USER : name.strip();
            case ASSISTANT -> agent;
            case TOOL -> name == null || name.isBlank() ? "tool" : name.strip();
        };
    }
}
