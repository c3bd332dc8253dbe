package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Recall", description = "A question to a bank.")
record RecallJson(
        @Schema(
                description = "What is looked for; 1 to 10,000 characters.",
                requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String query,

        @Schema(description = "world, experience, opinion, observation, mental_model; all where it is missing.")
        @Nullable
        List<String> types,

        @Schema(description = "turn, unit, reflection; all where it is missing.") @Nullable
        List<String> kinds,

        @Schema(description = "Tags, of which results have at least one.") @Nullable
        List<String> tags,

        @Schema(description = "true: results have all of these tags.") @Nullable
        Boolean allTags,

        @Schema(description = "Only what happened, or else was said, in this time span.") @Nullable
        DuringJson during,

        @Schema(description = "Only what the bank knew at this moment.") @Nullable
        Instant asOf,

        @Schema(description = "Excludes what is known to have held at another time only.") @Nullable
        Instant validAt,

        @Schema(description = "Retrievers to switch off: semantic, keyword, graph, temporal.") @Nullable
        List<String> without,

        @Schema(description = "How many tokens the memories' JSON may have: 10 to 32,000; 4,096 where it is missing.")
        @Nullable
        Integer maxTokens,

        @Schema(description = "true: includes a trace of the search.") @Nullable
        Boolean trace) {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RecallDuring", description = "A time with its beginning and end.")
    record DuringJson(@Nullable Instant from, @Nullable Instant to) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Recalled", description = "What a bank knows of something.")
    record RecalledJson(
            @Schema(
                    description =
                            "The best first, each with id, kind, type, text, context, source, occurredFrom, occurredTo, mentionedAt, "
                                    + "entities, score and the arms that found it, with its rank in each.")
            List<Map<String, Object>> memories,

            @Schema(description = "How many tokens the JSON of them has: {\"memories\":[…]}.")
            int tokens,

            @Schema(description = "Number of the bank's newest event: whatever happened until then could be found.")
            long known,

            @Schema(
                    description =
                            "What each arm found, in its order, with its scores; how many things that were; how many nanoseconds each step "
                                    + "took. null where nobody asked.")
            @Nullable
            Map<String, Object> trace) {}
}
