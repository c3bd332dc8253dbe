package dev.parley.domain.definition;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an agent can learn for a while: a text, and the tools that go with it. Models first see its description alone, and load
 * it when they need it. Several versions may stand side by side.
 *
 * @param description says what it is for
 * @param text Markdown; the model reads it while the skill is loaded
 * @param parent name of the skill that it is a part of, or null
 * @param tools that a model sees while it is loaded
 * @param needs other skills, which are loaded before it
 * @param tags words to find it by, in order
 * @param category the folder that people find it in, such as {@code office/mail}, or null
 */
public record Skill(
        String name,
        String version,
        String description,
        String text,
        @Nullable String parent,
        List<SkillTool> tools,
        List<SkillNeed> needs,
        List<String> tags,
        @Nullable String category)
        implements Definition {
    public Skill {
        Objects.requireNonNull(text, "text");
        tools = List.copyOf(tools);
        needs = List.copyOf(needs);
        tags = tags.stream().sorted().distinct().toList();
    }

    /** What it is found by. */
    public String about() {
        return name + ": " + description + (tags.isEmpty() ? "" : " (" + String.join(", ", tags) + ")");
    }
}
