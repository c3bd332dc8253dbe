package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.parley.domain.Ids;
import dev.parley.platform.database.Columns;
import dev.parley.sessions.JsonColumns;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
@Schema(name = "Part", description = "A part of a message; its fields depend on its kind.")
record PartJson(
        UUID id,

        @Schema(description = "Kind of the part: text, reasoning, tool, file, step-start, step-finish, patch or raw.")
        String kind,

        @Schema(description = "The provider's own name for the item.") @Nullable
        String itemType,

        @Nullable String text,

        @Schema(description = "Name of the tool or the file.") @Nullable
        String name,

        @Schema(description = "Id of the call, given by the model.") @Nullable
        String callId,

        @Schema(description = "Arguments, as JSON written by the model.") @Nullable
        String arguments,

        @Nullable String result,
        @Nullable Boolean isError,

        @Schema(description = "Status of the call: pending, running, completed or error.") @Nullable
        String status,

        @Schema(description = "Executor of the call: parley, or provider for tools that the provider runs itself.")
        @Nullable
        String executedBy,

        @Schema(description = "Reason why the call was not executed.") @Nullable
        String error,

        @Nullable String mimeType,
        @Nullable Long size,
        @Nullable String sha256,

        @Schema(description = "Files that the tool made for the user; the bytes are at /v1/blobs/{sha256}.") @Nullable
        List<GivenFile> files,

        @Schema(description = "Transcript of a recording; empty if nothing is intelligible.") @Nullable
        String transcript,

        @Nullable Integer step,
        @Nullable String finish,
        @Nullable StepUsage usage,

        @Schema(description = "Changes of workspace files by the tools of a step, by path.") @Nullable
        List<PatchJson> patches)
        implements PartJsonBuilder.With {

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Patch", description = "The change of a workspace file by a step.")
    record PatchJson(
            String path,

            @Schema(description = "Version before; 0 if the file did not exist.")
            int from,

            @Schema(description = "Version after.") int to,

            @Schema(description = "SHA-256 before; null if the file did not exist.") @Nullable
            String before,

            @Schema(description = "SHA-256 after; null if the file was deleted.") @Nullable
            String after) {
        /** This change and the next one of the same file as one change. */
        PatchJson and(PatchJson next) {
            return from <= next.from
                    ? new PatchJson(path, from, next.to, before, next.after)
                    : new PatchJson(path, next.from, to, next.before, after);
        }
    }

    @Serdeable
    @Schema(name = "GivenFile", description = "A file that a tool made for the user.")
    record GivenFile(String name, String mimeType, long size, String sha256) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "StepUsage", description = "Usage of one model call.")
    record StepUsage(
            long input,
            long output,
            long reasoning,
            long cacheRead,
            long cacheWrite,
            @Nullable BigDecimal cost) {}

    static final String COLUMNS = """
            p.part_id, p.message_id, p.kind, p.item_type, p.tool_status, p.executed_by, p.content->>'text' AS text,
            coalesce(p.content->>'name', p.tool_name) AS name, p.content->>'id' AS call_id,
            p.content->>'arguments' AS arguments, p.content->>'result' AS result,
            (p.content->>'isError')::boolean AS is_error, p.content->>'error' AS error, p.content->>'mimeType' AS mime_type,
            (p.content->>'size')::int8 AS size, p.content->>'sha256' AS sha256, p.content->>'transcript' AS transcript,
            p.content->>'files' AS files, p.content->>'patches' AS patches, (p.content->>'step')::int4 AS step,
            p.content->>'finish' AS finish, (p.content->>'input')::int8 AS tokens_input,
            (p.content->>'output')::int8 AS tokens_output, (p.content->>'reasoning')::int8 AS tokens_reasoning,
            (p.content->>'cacheRead')::int8 AS tokens_cache_read, (p.content->>'cacheWrite')::int8 AS tokens_cache_write,
            (p.content->>'cost')::numeric AS cost
            """;

    static PartJson of(ResultSet row) throws SQLException {
        boolean isError = row.getBoolean("is_error");
        return new PartJson(
                Columns.uuid(row, "part_id"),
                row.getString("kind"),
                row.getString("item_type"),
                row.getString("text"),
                row.getString("name"),
                row.getString("call_id"),
                row.getString("arguments"),
                row.getString("result"),
                row.getString("result") == null ? null : isError,
                row.getString("tool_status"),
                row.getString("executed_by"),
                row.getString("error"),
                row.getString("mime_type"),
                row.getObject("size", Long.class),
                row.getString("sha256"),
                JsonColumns.json(row, "files", new TypeReference<>() {}),
                row.getString("transcript"),
                row.getObject("step", Integer.class),
                row.getString("finish"),
                usage(row),
                JsonColumns.json(row, "patches", new TypeReference<>() {}));
    }

    /** The parts of a message, with the file changes of its tool calls merged into one part {@code patch}. */
    static List<PartJson> withPatch(UUID message, List<PartJson> parts) {
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
        result.add(PartJsonBuilder.builder()
                .id(Ids.of("patch", message))
                .kind("patch")
                .patches(List.copyOf(patches.values()))
                .build());
        return result;
    }

    private static @Nullable StepUsage usage(ResultSet row) throws SQLException {
        if (row.getString("tokens_input") == null) {
            return null;
        }
        return new StepUsage(
                row.getLong("tokens_input"),
                row.getLong("tokens_output"),
                row.getLong("tokens_reasoning"),
                row.getLong("tokens_cache_read"),
                row.getLong("tokens_cache_write"),
                row.getBigDecimal("cost"));
    }
}
