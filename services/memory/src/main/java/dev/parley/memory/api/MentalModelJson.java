package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.memory.JsonColumns;
import dev.parley.platform.database.Columns;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A mental model as the API returns it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@RecordBuilder
@Schema(name = "MentalModel", description = "A question to which a bank always keeps an answer.")
record MentalModelJson(
        String name,

        @Schema(description = "Id of the unit that is the answer.")
        UUID id,

        String question,
        List<String> tags,

        @Schema(description = "Minimum time between two answers, in seconds.")
        long restSeconds,

        @Schema(description = "The current answer; null if there is none.") @Nullable
        String answer,

        @Schema(description = "Number of the current answer, counted from 1; null if there is none.") @Nullable
        Integer version,

        @Schema(description = "Ids of the units that the answer is based on.")
        List<UUID> sources,

        @Schema(description = "The current and previous answers, newest first, at most 50; null in lists.") @Nullable
        List<VersionJson> versions,

        Instant updatedAt)
        implements MentalModelJsonBuilder.With {
    static final String COLUMNS = "m.mental_model_id, m.name, m.question, m.tags, m.rest_ms, u.content,"
            + " coalesce(u.metadata, '{}') AS metadata, coalesce(u.source_memory_ids, '{}') AS sources,"
            + " greatest(m.update_ts, u.update_ts) AS changed_ts";

    static MentalModelJson of(ResultSet row) throws SQLException {
        JsonNode metadata = JsonColumns.json(row, "metadata");
        return new MentalModelJson(
                row.getString("name"),
                Columns.uuid(row, "mental_model_id"),
                row.getString("question"),
                JsonColumns.texts(JsonColumns.json(row, "tags")),
                row.getLong("rest_ms") / 1_000,
                row.getString("content"),
                metadata.has("version") ? metadata.get("version").asInt() : null,
                Columns.uuids(row, "sources"),
                null,
                Columns.time(row, "changed_ts"));
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "MentalModelVersion", description = "An answer of a mental model.")
    record VersionJson(
            int version,
            String answer,

            @Schema(description = "Reason for renewing the answer; null for the first.") @Nullable
            String reason,

            Instant at) {
        static final String COLUMNS = "v.version, v.content, v.metadata, v.update_ts";

        static VersionJson of(ResultSet row) throws SQLException {
            return new VersionJson(
                    row.getInt("version"),
                    row.getString("content"),
                    JsonColumns.text(JsonColumns.json(row, "metadata"), "reason"),
                    Columns.time(row, "update_ts"));
        }
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SetMentalModel", description = "The question of a mental model.")
    record SetJson(
            @Schema(
                    description = "Question to answer, 1 to 2,000 characters.",
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable
            String question,

            @Schema(
                    description =
                            "Tags of which everything that the answer is based on has at least one. Defaults to any.")
            @Nullable
            List<String> tags,

            @Schema(
                    description = "Minimum time between two answers in seconds, from 10 seconds to 30 days. Defaults "
                            + "to 10 minutes.")
            @Nullable
            Long restSeconds) {}
}
