package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query to a bank.
 *
 * @param types Types of units: world, experience, opinion, observation, mental_model. Defaults to all.
 * @param kinds Kinds of results: turn, unit, reflection. Defaults to all.
 * @param tags Tags of which each result has at least one.
 * @param allTags true: each result has all of the tags.
 * @param asOf Only what the bank knew at this time.
 * @param validAt Excludes what is known to have been valid only at other times.
 * @param without Retrievers to switch off: semantic, keyword, graph, temporal.
 * @param maxTokens Maximum number of tokens of the memories as JSON, 10 to 32,000. Defaults to 4,096.
 * @param trace true: includes a trace of the search.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Recall")
record RecallJson(
        @Schema(
                description = "Text to search for, 1 to 10,000 characters.",
                requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        String query,

        @Nullable List<String> types,
        @Nullable List<String> kinds,
        @Nullable List<String> tags,
        @Nullable Boolean allTags,

        @Schema(description = "Only what happened in this time span or, if that is unknown, was said in it.") @Nullable
        DuringJson during,

        @Nullable Instant asOf,
        @Nullable Instant validAt,
        @Nullable List<String> without,
        @Nullable Integer maxTokens,
        @Nullable Boolean trace) {

    /** A time span. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RecallDuring", description = "A time span.")
    record DuringJson(@Nullable Instant from, @Nullable Instant to) {}

    /**
     * The memories that a query found.
     *
     * @param memories Memories, best first. Each has id, kind, type, text, context, source, occurredFrom, occurredTo,
     *     mentionedAt, entities, score, and the arms (retrievers) that found it with its rank in each.
     * @param tokens Number of tokens of the memories as JSON: {"memories":[…]}.
     * @param known Number of the bank's newest event; everything up to it could be found.
     * @param trace Results of each retriever in order, with scores; the number of different results; the duration of
     *     each step in nanoseconds. Null unless requested.
     */
    @Serdeable
    @Schema(name = "Recalled")
    record RecalledJson(
            List<Map<String, Object>> memories,
            int tokens,
            long known,
            @Nullable Map<String, Object> trace) {}
}
