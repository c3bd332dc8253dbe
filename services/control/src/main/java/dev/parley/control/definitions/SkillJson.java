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

/**
 * A skill that an agent can load: a text and its tools.
 *
 * @param version Version, such as 1.0.0. Defaults to 1.0.0. Versions coexist; agents use the newest.
 * @param description Purpose of the skill and when to use it; all that a model sees before loading it.
 * @param text Text in Markdown that the model reads while the skill is loaded.
 * @param enabled False to hide the skill from all models.
 * @param parent Name of the skill that this skill is part of.
 * @param tools Tools that a model sees while the skill is loaded.
 * @param needs Other skills, loaded before this one.
 * @param tags Keywords for search.
 * @param category Folder in which people find the skill, such as office/mail.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Skill")
public record SkillJson(
        @Nullable String name,
        @Nullable String version,
        @Nullable String description,
        @Nullable String text,
        @Nullable Boolean enabled,
        @Nullable String parent,
        @Nullable List<LinkJson> tools,
        @Nullable List<NeedJson> needs,
        @Nullable List<String> tags,
        @Nullable String category,

        @Schema(description = "Definition level: project or host.", accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        Instant updatedAt)
        implements DefinitionEntry {

    /**
     * A tool of a skill.
     *
     * @param tool Name of the tool.
     * @param version Version of the tool. Defaults to the newest.
     * @param access Access that the skill grants: read, write or execute. Defaults to execute.
     * @param arguments Arguments of every call.
     * @param locked True if these arguments override the model's; otherwise they fill in arguments that the model
     *     omits.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "SkillTool")
    public record LinkJson(
            @Nullable String tool,
            @Nullable String version,
            @Nullable String access,
            @Nullable Map<String, Object> arguments,
            @Nullable Boolean locked) {}

    /**
     * Another skill that a skill depends on.
     *
     * @param required False if the skill is loaded only when there is room.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SkillNeed")
    public record NeedJson(@Nullable String skill, @Nullable Boolean required) {}

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
