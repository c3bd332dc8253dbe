package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillNeed;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.definition.ToolAccess;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A skill of a host or a project. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Skill", description = "A skill that an agent can load: a text and its tools.")
public record SkillJson(
        @Nullable String name,

        @Schema(description = "Version, such as 1.0.0. Defaults to 1.0.0. Versions coexist; agents use the newest.")
        @Nullable
        String version,

        @Schema(description = "Purpose of the skill and when to use it; all that a model sees before loading it.")
        @Nullable
        String description,

        @Schema(description = "Text in Markdown that the model reads while the skill is loaded.") @Nullable
        String text,

        @Schema(description = "False to hide the skill from all models.") @Nullable
        Boolean enabled,

        @Schema(description = "Name of the skill that this skill is part of.") @Nullable
        String parent,

        @Schema(description = "Tools that a model sees while the skill is loaded.") @Nullable
        List<LinkJson> tools,

        @Schema(description = "Other skills, loaded before this one.") @Nullable
        List<NeedJson> needs,

        @Schema(description = "Keywords for search.") @Nullable
        List<String> tags,

        @Schema(description = "Folder in which people find the skill, such as office/mail.") @Nullable
        String category,

        @Schema(description = "Definition level: project or host.", accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        Instant updatedAt)
        implements DefinitionEntry {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "SkillTool", description = "A tool of a skill.")
    public record LinkJson(
            @Schema(description = "Name of the tool.") @Nullable
            String tool,

            @Schema(description = "Version of the tool. Defaults to the newest.") @Nullable
            String version,

            @Schema(description = "Access that the skill grants: read, write or execute. Defaults to execute.")
            @Nullable
            String access,

            @Schema(description = "Arguments of every call.") @Nullable
            Map<String, Object> arguments,

            @Schema(
                    description = "True if these arguments override the model's; otherwise they fill in "
                            + "arguments that the model omits.")
            @Nullable
            Boolean locked) {}

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SkillNeed", description = "Another skill that a skill depends on.")
    public record NeedJson(
            @Nullable String skill,

            @Schema(description = "False if the skill is loaded only when there is room.") @Nullable
            Boolean required) {}

    @Override
    public SkillJson withServerFields(@Nullable String source, @Nullable Instant updatedAt) {
        return new SkillJson(
                name, version, description, text, enabled, parent, tools, needs, tags, category, source, updatedAt);
    }

    @Override
    public SkillJson redacted() {
        return this;
    }

    @Override
    public String searchText() {
        return toDefinition().about();
    }

    /** Whether the skill has this tag and is in this folder; null matches all. */
    public boolean fits(@Nullable String tag, @Nullable String folder) {
        boolean tagged = tag == null || tags != null && tags.contains(tag);
        boolean inside = folder == null || category != null && (category + "/").startsWith(folder + "/");
        return tagged && inside;
    }

    /** The published definition of a validated skill. */
    Skill toDefinition() {
        return new Skill(
                Objects.requireNonNull(name),
                Objects.requireNonNull(version),
                Objects.requireNonNull(description),
                Objects.requireNonNull(text),
                parent,
                Objects.requireNonNull(tools).stream().map(SkillJson::tool).toList(),
                Objects.requireNonNull(needs).stream()
                        .map(need -> new SkillNeed(
                                Objects.requireNonNull(need.skill()), !Boolean.FALSE.equals(need.required())))
                        .toList(),
                Objects.requireNonNull(tags),
                category);
    }

    private static SkillTool tool(LinkJson link) {
        return new SkillTool(
                Objects.requireNonNull(link.tool()),
                link.version(),
                ToolAccess.valueOf(Objects.requireNonNull(link.access()).toUpperCase(Locale.ROOT)),
                JsonColumns.text(JsonNode.from(link.arguments() == null ? Map.of() : link.arguments())),
                Boolean.TRUE.equals(link.locked()));
    }
}
