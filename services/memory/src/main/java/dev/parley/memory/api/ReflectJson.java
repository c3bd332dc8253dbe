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

/**
 * A question for a bank to reflect on.
 *
 * @param context Who asks and why, for the model; at most 2,000 characters.
 * @param tags Tags of which everything that the answer is based on has at least one. Defaults to any.
 * @param types Types of units that the answer is based on. Defaults to all types, and what was said.
 * @param maxTokens Approximate maximum length of the answer in tokens, 50 to 4,000. Defaults to 1,000.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Reflect")
record ReflectJson(
        @Schema(description = "Question to answer, 1 to 4,000 characters.", requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String question,

        @Nullable String context,
        @Nullable List<String> tags,
        @Nullable List<String> types,
        @Nullable Integer maxTokens) {

    /**
     * The result of a reflection.
     *
     * @param answer The answer, in which [m1] cites the first item of basedOn; if it is withheld, a text that says so.
     * @param basedOn Ids of the cited units and passages, all of which were found.
     * @param heeded Names of the directives that the answer keeps, as checked by rules.
     * @param unchecked Names of the directives that rules cannot check.
     * @param withheld Name of the directive because of which the answer is withheld, or null.
     * @param uncited Number of citations that were removed because they named nothing that was found.
     * @param how Version of the implementation that answered: model-… or rules-….
     * @param model Model that answered, as provider/model; null if rules answered.
     * @param iterations Number of searches and model calls.
     * @param costNanos Cost in billionths of a US dollar; null if the price is unknown.
     */
    @Serdeable
    @Schema(name = "Reflected")
    record ConcludedJson(
            UUID id,
            String answer,
            List<String> basedOn,
            List<String> heeded,
            List<String> unchecked,
            @Nullable String withheld,
            int uncited,
            String how,
            @Nullable String model,
            int iterations,
            long inputTokens,
            long outputTokens,
            @Nullable Long costNanos) {
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

    /**
     * A question that a bank has reflected on, with the answer.
     *
     * @param active False if it is based on something that is no longer held to be true; then it is not found.
     */
    @Serdeable
    @MappedEntity(value = "agent_memory_reflection_t", schema = "memory")
    @Schema(name = "Reflection")
    record ReflectionJson(
            UUID id,
            String question,
            String answer,
            @TypeDef(type = DataType.JSON) List<String> basedOn,
            @TypeDef(type = DataType.JSON) List<String> tags,
            String how,
            @Nullable String model,
            boolean active,
            Instant updatedAt) {}
}
