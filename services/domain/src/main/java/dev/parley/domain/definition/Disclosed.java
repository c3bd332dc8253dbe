package dev.parley.domain.definition;

import java.util.List;

/**
 * Skills and tools that a session's models are shown in addition to the agent's own prompt and tools.
 *
 * @param skills loaded skills, in the order in which they are read
 * @param tools names of tools found by {@code tool_search}, most recent last
 */
public record Disclosed(List<SkillVersion> skills, List<String> tools) {
    public static final Disclosed NONE = new Disclosed(List.of(), List.of());

    public Disclosed {
        skills = List.copyOf(skills);
        tools = List.copyOf(tools);
    }
}
