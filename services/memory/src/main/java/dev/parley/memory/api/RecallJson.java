package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Recall", description = "A query to a bank.")
record RecallJson(
        @Schema(
                description = "Text to search for, 1 to 10,000 characters.",
                requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String query,

        @Schema(description = "Types of units: world, experience, opinion, observation, mental_model. Defaults to all.")
        @Nullable
        List<String> types,

        @Schema(description = "Kinds of results: turn, unit, reflection. Defaults to all.") @Nullable
        List<String> kinds,

        @Schema(description = "Tags of which each result has at least one.") @Nullable
        List<String> tags,

        @Schema(description = "true: each result has all of the tags.") @Nullable
        Boolean allTags,

        @Schema(description = "Only what happened in this time span or, if that is unknown, was said in it.") @Nullable
        DuringJson during,

        @Schema(description = "Only what the bank knew at this time.") @Nullable
        Instant asOf,

        @Schema(description = "Excludes what is known to have been valid only at other times.") @Nullable
        Instant validAt,

        @Schema(description = "Retrievers to switch off: semantic, keyword, graph, temporal.") @Nullable
        List<String> without,

        @Schema(description = "Maximum number of tokens of the memories as JSON, 10 to 32,000. Defaults to 4,096.")
        @Nullable
        Integer maxTokens,

        @Schema(description = "true: includes a trace of the search.") @Nullable
        Boolean trace) {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RecallDuring", description = "A time span.")
    record DuringJson(@Nullable Instant from, @Nullable Instant to) {}

    @Serdeable
    @Schema(name = "Recalled", description = "The memories that a query found.")
    record RecalledJson(
            @Schema(
                    description = "Memories, best first. Each has id, kind, type, text, context, source, occurredFrom, "
                            + "occurredTo, mentionedAt, entities, score, and the arms (retrievers) that found it "
                            + "with its rank in each.")
            List<Map<String, Object>> memories,

            @Schema(description = "Number of tokens of the memories as JSON: {\"memories\":[…]}.")
            int tokens,

            @Schema(description = "Number of the bank's newest event; everything up to it could be found.")
            long known,

            @Schema(
                    description = "Results of each retriever in order, with scores; the number of different results; "
                            + "the duration of each step in nanoseconds. Null unless requested.")
            @Nullable
            Map<String, Object> trace) {}
}
