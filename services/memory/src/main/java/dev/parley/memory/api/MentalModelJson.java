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

/**
 * A question to which a bank always keeps an answer.
 *
 * @param id Id of the unit that is the answer.
 * @param restSeconds Minimum time between two answers, in seconds.
 * @param answer The current answer; null if there is none.
 * @param version Number of the current answer, counted from 1; null if there is none.
 * @param sources Ids of the units that the answer is based on.
 * @param versions The current and previous answers, newest first, at most 50; null in lists.
 */
@Serdeable
@MappedEntity(value = "agent_memory_mental_model_t", schema = "memory")
@RecordBuilder
@Schema(name = "MentalModel")
record MentalModelJson(
        String name,
        UUID id,
        String question,
        @TypeDef(type = DataType.JSON) List<String> tags,
        long restSeconds,
        @Nullable String answer,
        @Nullable Integer version,
        @TypeDef(type = DataType.JSON) List<UUID> sources,
        @Nullable @TypeDef(type = DataType.JSON) List<VersionJson> versions,
        Instant updatedAt)
        implements MentalModelJsonBuilder.With {
    /**
     * An answer of a mental model.
     *
     * @param reason Reason for renewing the answer; null for the first.
     */
    @Serdeable
    @Schema(name = "MentalModelVersion")
    record VersionJson(int version, String answer, @Nullable String reason, Instant at) {}

    /**
     * The question of a mental model.
     *
     * @param tags Tags of which everything that the answer is based on has at least one. Defaults to any.
     * @param restSeconds Minimum time between two answers in seconds, from 10 seconds to 30 days. Defaults to 10
     *     minutes.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SetMentalModel")
    record SetJson(
            @Schema(
                    description = "Question to answer, 1 to 2,000 characters.",
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable
            String question,

            @Nullable List<String> tags,
            @Nullable Long restSeconds) {}
}
