package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.Ids;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A part of a message; its fields depend on its kind.
 *
 * @param kind Kind of the part: text, reasoning, tool, file, step-start, step-finish, patch or raw.
 * @param itemType The provider's own name for the item.
 * @param name Name of the tool or the file.
 * @param callId Id of the call, given by the model.
 * @param arguments Arguments, as JSON written by the model.
 * @param status Status of the call: pending, running, completed or error.
 * @param executedBy Executor of the call: parley, or provider for tools that the provider runs itself.
 * @param error Reason why the call was not executed.
 * @param files Files that the tool made for the user; the bytes are at /v1/blobs/{sha256}.
 * @param transcript Transcript of a recording; empty if nothing is intelligible.
 * @param patches Changes of workspace files by the tools of a step, by path.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@MappedEntity(value = "agent_message_part_t", schema = "sessions")
@RecordBuilder
@Schema(name = "Part")
public record PartJson(
        @Id UUID id,
        @JsonIgnore UUID messageId,
        String kind,
        @Nullable String itemType,
        @Nullable String text,
        @Nullable String name,
        @Nullable String callId,
        @Nullable String arguments,
        @Nullable String result,
        @Nullable Boolean isError,
        @Nullable String status,
        @Nullable String executedBy,
        @Nullable String error,
        @Nullable String mimeType,
        @Nullable Long size,
        @Nullable String sha256,
        @Nullable @TypeDef(type = DataType.JSON) List<GivenFile> files,
        @Nullable String transcript,
        @Nullable Integer step,
        @Nullable String finish,
        @Nullable @TypeDef(type = DataType.JSON) StepUsage usage,
        @Nullable @TypeDef(type = DataType.JSON) List<PatchJson> patches)
        implements PartJsonBuilder.With {

    /**
     * The change of a workspace file by a step.
     *
     * @param from Version before; 0 if the file did not exist.
     * @param to Version after.
     * @param before SHA-256 before; null if the file did not exist.
     * @param after SHA-256 after; null if the file was deleted.
     */
    @Serdeable
    @Schema(name = "Patch")
    record PatchJson(
            String path,
            int from,
            int to,
            @Nullable String before,
            @Nullable String after) {
        /** This change and the next one of the same file as one change. */
        PatchJson and(PatchJson next) {
            return from <= next.from
                    ? new PatchJson(path, from, next.to, before, next.after)
                    : new PatchJson(path, next.from, to, next.before, after);
        }
    }

    /** A file that a tool made for the user. */
    @Serdeable
    @Schema(name = "GivenFile")
    public record GivenFile(String name, String mimeType, long size, String sha256) {}

    /** Usage of one model call. */
    @Serdeable
    @Schema(name = "StepUsage")
    record StepUsage(
            long input,
            long output,
            long reasoning,
            long cacheRead,
            long cacheWrite,
            @Nullable BigDecimal cost) {}

    /** The parts of a message, with the file changes of its tool calls merged into one part {@code patch}. */
    static List<PartJson> withPatch(List<PartJson> parts) {
        var patches = new TreeMap<String, PatchJson>();
        for (PartJson part : parts) {
            for (PatchJson patch : part.patches == null ? List.<PatchJson>of() : part.patches) {
                patches.merge(patch.path, patch, PatchJson::and);
            }
        }
        if (patches.isEmpty()) {
            return parts;
        }
        var result = new ArrayList<PartJson>();
        parts.forEach(part -> result.add(part.withPatches(null)));
        UUID message = parts.getFirst().messageId;
        result.add(PartJsonBuilder.builder()
                .id(Ids.of("patch", message))
                .messageId(message)
                .kind("patch")
                .patches(List.copyOf(patches.values()))
                .build());
        return result;
    }
}
