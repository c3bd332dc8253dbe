package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.domain.document.NotInDocuments;
import dev.parley.platform.document.Document;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A skill that an agent can load: a text and its tools.
 *
 * @param enabled False to hide the skill from all models.
 */
@Serdeable
@Schema(name = "Skill") // DocumentSchemas adds the fields of its document
public record SkillEntry(
        @Schema(hidden = true) @Field(form = Form.INLINE) Skill skill,
        @Field(fallback = "true") boolean enabled,

        @Schema(description = "Definition level: project or host.", accessMode = Schema.AccessMode.READ_ONLY)
        @NotInDocuments
        @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @NotInDocuments @Nullable
        Instant updatedAt)
        implements DefinitionEntry {
    @Override
    public String name() {
        return skill.name();
    }

    @Override
    public String version() {
        return skill.version();
    }

    @Override
    public String searchText() {
        return skill.about();
    }

    @Override
    public SkillEntry redacted() {
        return this;
    }

    @Override
    public SkillEntry withServerFields(@Nullable String source, @Nullable Instant updatedAt) {
        return new SkillEntry(skill, enabled, source, updatedAt);
    }

    /** Whether the skill has this tag and is in this folder; null matches all. */
    public boolean fits(@Nullable String tag, @Nullable String folder) {
        boolean tagged = tag == null || skill.tags().contains(tag);
        String category = skill.category();
        boolean inside = folder == null || category != null && (category + "/").startsWith(folder + "/");
        return tagged && inside;
    }

    /** Its document, and what the server knows about it. */
    @JsonValue
    JsonNode json() {
        Map<String, @Nullable Object> json = Document.of(SkillEntry.class).write(this);
        json.put("source", source);
        json.put("updatedAt", updatedAt == null ? null : updatedAt.toString());
        json.values().removeIf(Objects::isNull);
        return JsonNode.from(json);
    }
}
