package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A mental model as the API returns it. */
@Serdeable
@MappedEntity(value = "agent_memory_mental_model_t", schema = "memory")
@RecordBuilder
@Schema(name = "MentalModel", description = "A question to which a bank always keeps an answer.")
record MentalModelJson(
        String name,

        @Schema(description = "Id of the unit that is the answer.")
        UUID id,

        String question,
        @TypeDef(type = DataType.JSON) List<String> tags,

        @Schema(description = "Minimum time between two answers, in seconds.")
        long restSeconds,

        @Schema(description = "The current answer; null if there is none.") @Nullable
        String answer,

        @Schema(description = "Number of the current answer, counted from 1; null if there is none.") @Nullable
        Integer version,

        @Schema(description = "Ids of the units that the answer is based on.") @TypeDef(type = DataType.JSON)
        List<UUID> sources,

        @Schema(description = "The current and previous answers, newest first, at most 50; null in lists.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        List<VersionJson> versions,

        Instant updatedAt)
        implements MentalModelJsonBuilder.With {
    @Serdeable
    @Schema(name = "MentalModelVersion", description = "An answer of a mental model.")
    record VersionJson(
            int version,
            String answer,

            @Schema(description = "Reason for renewing the answer; null for the first.") @Nullable
            String reason,

            Instant at) {}

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
