package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.protocol.Outcome;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A reflect request. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Reflect", description = "A question for a bank to reflect on.")
record ReflectJson(
        @Schema(description = "Question to answer, 1 to 4,000 characters.", requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String question,

        @Schema(description = "Who asks and why, for the model; at most 2,000 characters.") @Nullable
        String context,

        @Schema(description = "Tags of which everything that the answer is based on has at least one. Defaults to any.")
        @Nullable
        List<String> tags,

        @Schema(description = "Types of units that the answer is based on. Defaults to all types, and what was said.")
        @Nullable
        List<String> types,

        @Schema(description = "Approximate maximum length of the answer in tokens, 50 to 4,000. Defaults to 1,000.")
        @Nullable
        Integer maxTokens) {

    @Serdeable
    @Schema(name = "Reflected", description = "The result of a reflection.")
    record ConcludedJson(
            UUID id,

            @Schema(
                    description = "The answer, in which [m1] cites the first item of basedOn; if it is withheld, a "
                            + "text that says so.")
            String answer,

            @Schema(description = "Ids of the cited units and passages, all of which were found.")
            List<String> basedOn,

            @Schema(description = "Names of the directives that the answer keeps, as checked by rules.")
            List<String> heeded,

            @Schema(description = "Names of the directives that rules cannot check.")
            List<String> unchecked,

            @Schema(description = "Name of the directive because of which the answer is withheld, or null.") @Nullable
            String withheld,

            @Schema(description = "Number of citations that were removed because they named nothing that was found.")
            int uncited,

            @Schema(description = "Version of the implementation that answered: model-… or rules-….")
            String how,

            @Schema(description = "Model that answered, as provider/model; null if rules answered.") @Nullable
            String model,

            @Schema(description = "Number of searches and model calls.")
            int iterations,

            long inputTokens,
            long outputTokens,

            @Schema(description = "Cost in billionths of a US dollar; null if the price is unknown.") @Nullable
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

    /** A stored reflection. */
    @Serdeable
    @MappedEntity(value = "agent_memory_reflection_t", schema = "memory")
    @Schema(name = "Reflection", description = "A question that a bank has reflected on, with the answer.")
    record ReflectionJson(
            UUID id,
            String question,
            String answer,
            @TypeDef(type = DataType.JSON) List<String> basedOn,
            @TypeDef(type = DataType.JSON) List<String> tags,
            String how,
            @Nullable String model,

            @Schema(
                    description = "False if it is based on something that is no longer held to be true; then it is not "
                            + "found.")
            boolean active,

            Instant updatedAt) {}
}
