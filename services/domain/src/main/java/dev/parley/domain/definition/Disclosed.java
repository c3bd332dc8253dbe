package dev.parley.domain.definition;

import java.util.List;

/**
 * What a session's models see besides what every request carries.
 *
 * @param skills that are loaded, in the order in which they are read
 * @param tools names of those that were found by searching, the latest found last
 */
public record Disclosed(List<SkillVersion> skills, List<String> tools) {
    /** Nothing. */
    public static final Disclosed NONE = new Disclosed(List.of(), List.of());

    public Disclosed {
        skills = List.copyOf(skills);
        tools = List.copyOf(tools);
    }
}
