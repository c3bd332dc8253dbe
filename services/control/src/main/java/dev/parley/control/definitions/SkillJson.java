package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillNeed;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.domain.document.NotInDocuments;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Skill")
public record SkillJson(
        @Field(
                required = true,
                pattern = "(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*",
                problem = "must be 1 to 64 lower-case letters and digits, with single hyphens between them")
        String name,

        @Field(fallback = EntryVersions.FIRST) String version,
        @Field(required = true, length = 1_024) String description,
        @Field(length = 65_536) String text,
        @Field(fallback = "true") boolean enabled,
        @Field(form = Form.LINE, length = 64) @Nullable String parent,
        @Field(entries = 100) List<LinkJson> tools,
        @Field(entries = 100) List<NeedJson> needs,
        @Field(form = Form.LINE, entries = 100, length = 64) List<String> tags,

        @Field(
                form = Form.LINE,
                length = 126,
                pattern = "[^/\\p{Cntrl}]{1,60}(/[^/\\p{Cntrl}]{1,60}){0,4}",
                problem = "must be a folder such as office/mail")
        @Nullable
        String category,

        @Schema(description = "Definition level: project or host.", accessMode = Schema.AccessMode.READ_ONLY)
        @NotInDocuments
        @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @NotInDocuments @Nullable
        Instant updatedAt)
        implements DefinitionEntry, Checked {

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
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "SkillTool")
    public record LinkJson(
            @Field(required = true, form = Form.LINE, length = 64) String tool,
            @Field @Nullable String version,
            @Field(fallback = "execute", codes = ToolAccess.class) String access,
            @Field(length = 4_096) Map<String, Object> arguments,
            @Field boolean locked)
            implements Checked {
        @Override
        public List<Fault> faults(Set<String> given) {
            return EntryVersions.fault(version).stream().toList();
        }
    }

    /**
     * Another skill that a skill depends on.
     *
     * @param required False if the skill is loaded only when there is room.
     */
    @Serdeable
    @Schema(name = "SkillNeed")
    public record NeedJson(
            @Field(required = true, form = Form.LINE, length = 64) String skill,
            @Field(fallback = "true") boolean required) {}

    @Override
    public List<Fault> faults(Set<String> given) {
        return EntryVersions.fault(version).stream().toList();
    }

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
        boolean tagged = tag == null || tags.contains(tag);
        boolean inside = folder == null || category != null && (category + "/").startsWith(folder + "/");
        return tagged && inside;
    }

    /** The published definition of a validated skill. */
    Skill toDefinition() {
        return new Skill(
                name,
                version,
                description,
                text,
                parent,
                tools.stream().map(SkillJson::tool).toList(),
                needs.stream()
                        .map(need -> new SkillNeed(need.skill(), need.required()))
                        .toList(),
                tags,
                category);
    }

    private static SkillTool tool(LinkJson link) {
        return new SkillTool(
                link.tool(),
                link.version(),
                ToolAccess.valueOf(link.access().toUpperCase(Locale.ROOT)),
                JsonColumns.text(JsonNode.from(link.arguments())),
                link.locked());
    }
}
