package dev.parley.domain.definition;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A skill that an agent can load: an instruction text with tools. Models see its description until they load it.
 * Several versions can coexist.
 *
 * @param description states what the skill is for
 * @param text Markdown, read by the model while the skill is loaded
 * @param parent name of the skill that this is a part of, or null
 * @param tools shown to the model while the skill is loaded
 * @param needs other skills, loaded before this one
 * @param tags search keywords, ordered
 * @param category folder in listings, such as {@code office/mail}, or null
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

    /** The text that is searched. */
    public String about() {
        return name + ": " + description + (tags.isEmpty() ? "" : " (" + String.join(", ", tags) + ")");
    }
}
