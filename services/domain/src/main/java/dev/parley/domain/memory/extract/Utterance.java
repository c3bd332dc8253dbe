package dev.parley.domain.memory.extract;

import dev.parley.domain.content.Role;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Something that was said, with what one has to know to understand it.
 *
 * @param text what was said
 * @param role who said it: a person, the agent, or a tool that answered
 * @param name of the person or the tool, or null where it is not known
 * @param agent name of the agent that took part
 * @param at when it was said: what "yesterday" is counted from
 * @param zone of the speaker: where their days begin
 */
public record Utterance(String text, Role role, @Nullable String name, String agent, Instant at, ZoneId zone) {
    /** What a person is called whose name is not known. */
    public static final String USER = "user";

    /** The speaker, as an entity is named: "I" means this one. */
    public String speaker() {
        return switch (role) {
            case USER -> name == null || name.isBlank() ? USER : name.strip();
            case ASSISTANT -> agent;
            case TOOL -> name == null || name.isBlank() ? "tool" : name.strip();
        };
    }
}
