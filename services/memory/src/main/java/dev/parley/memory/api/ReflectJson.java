package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.JsonColumns;
import dev.parley.platform.database.Columns;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A question for a bank to think about, as clients ask it. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Reflect", description = "A question for a bank to think about.")
record ReflectJson(
        @Schema(description = "1 to 4,000 characters.", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        String question,

        @Schema(description = "Who asks and what for, for the model; at most 2,000 characters.") @Nullable
        String context,

        @Schema(description = "Of which what the answer rests on has one; any where it is missing.") @Nullable
        List<String> tags,

        @Schema(description = "Types of units that it rests on; all where it is missing, and what was said.") @Nullable
        List<String> types,

        @Schema(description = "About how long the answer may be: 50 to 4,000; 1,000 where it is missing.") @Nullable
        Integer maxTokens) {

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Reflected", description = "What a bank came to.")
    record ConcludedJson(
            UUID id,

            @Schema(description = "In it [m1] cites the first of basedOn; it says so where it is withheld.")
            String answer,

            @Schema(description = "Ids of the units and passages that it cites; all of them were found.")
            List<String> basedOn,

            @Schema(description = "Names of the directives that it keeps.")
            List<String> heeded,

            @Schema(description = "Names of the directives of which nobody can tell but who reads it.")
            List<String> unchecked,

            @Schema(description = "Name of the directive that keeps it from being given; or null.") @Nullable
            String withheld,

            @Schema(description = "How many of its citations named nothing that was found, and were taken out.")
            int uncited,

            @Schema(description = "model-… or rules-…: what answered.")
            String how,

            @Schema(description = "provider/model; null where rules answered.") @Nullable
            String model,

            @Schema(description = "How often it searched and asked a model.")
            int iterations,

            long inputTokens,
            long outputTokens,

            @Schema(description = "Billionths of a US dollar; null where the price is not known.") @Nullable
            Long costNanos) {
        static ConcludedJson of(Outcome.Concluded outcome) {
            return new ConcludedJson(
                    outcome.reflection(),
                    outcome.answer(),
                    outcome.basedOn(),
                    outcome.heeded(),
                    outcome.unchecked(),
                    outcome.withheld(),
                    outcome.uncited(),
                    outcome.how(),
                    outcome.model(),
                    outcome.iterations(),
                    outcome.usage().input(),
                    outcome.usage().output(),
                    outcome.usage().costNanos());
        }
    }

    /** A reflection that is kept. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Reflection", description = "What a bank has thought through.")
    record ReflectionJson(
            UUID id,
            String question,
            String answer,
            List<String> basedOn,
            List<String> tags,
            String how,
            @Nullable String model,

            @Schema(description = "false: it rests on what is held to be true no more, and is not found.")
            boolean active,

            Instant updatedAt) {
        static final String COLUMNS = "f.reflection_id, f.question, f.content, f.metadata, f.active, f.update_ts";

        static ReflectionJson of(ResultSet row) throws SQLException {
            JsonNode metadata = JsonColumns.json(row, "metadata");
            return new ReflectionJson(
                    Columns.uuid(row, "reflection_id"),
                    row.getString("question"),
                    row.getString("content"),
                    JsonColumns.texts(metadata, "basedOn"),
                    JsonColumns.texts(metadata, "tags"),
                    metadata.path("how").asText(),
                    JsonColumns.text(metadata, "model"),
                    row.getBoolean("active"),
                    Columns.time(row, "update_ts"));
        }
    }
}
