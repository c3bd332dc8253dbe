package dev.parley.domain.definition;

import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
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
        @Field(
                required = true,
                length = 64,
                pattern = "[a-z0-9]+(-[a-z0-9]+)*",
                problem = "must be lower-case letters and digits, with single hyphens between them")
        String name,

        @Field(
                fallback = Definition.FIRST_VERSION,
                length = 32,
                pattern = Definition.VERSION,
                problem = Definition.NO_VERSION)
        String version,

        @Field(required = true, length = 1_024) String description,
        @Field(length = 65_536) String text,
        @Field(form = Form.LINE, length = 64) @Nullable String parent,
        @Field(entries = 100) List<SkillTool> tools,
        @Field(entries = 100) List<SkillNeed> needs,
        @Field(form = Form.LINE, entries = 100, length = 64) List<String> tags,

        @Field(
                form = Form.LINE,
                length = 126,
                pattern = "[^/\\p{Cntrl}]{1,60}(/[^/\\p{Cntrl}]{1,60}){0,4}",
                problem = "must be a folder such as office/mail")
        @Nullable
        String category)
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
