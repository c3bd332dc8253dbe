package dev.parley.memory.recall;

import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.SearchFilter;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recall query.
 *
 * @param embedding of the text; only vectors of its generation are compared. Null: no semantic search
 * @param arms the active retrievers
 * @param maxTokens token limit of the JSON of the answer
 * @param now time of the query, for recency; null to ignore recency
 * @param window the time that the query names; null for none
 */
public record RecallQuestion(
        String text,
        @Nullable Embedding embedding,
        SearchFilter filter,
        Set<Retriever> arms,
        RecallEffort budget,
        int maxTokens,
        @Nullable Instant now,
        @Nullable TimeSpan window) {
    public static final int TOKENS = 4_096;

    /** @throws IllegalArgumentException where the token limit is below that of an empty answer */
    public RecallQuestion {
        if (maxTokens < RecallPayload.MIN_TOKENS) {
            throw new IllegalArgumentException(
                    "a token limit of " + maxTokens + " is too low: use " + RecallPayload.MIN_TOKENS + " or more");
        }
        arms = Set.copyOf(arms);
    }

    /** A query over current knowledge, with all retrievers and medium effort. */
    public static RecallQuestion of(String text, @Nullable Embedding embedding) {
        return new RecallQuestion(
                text, embedding, SearchFilter.NONE, Retriever.ALL, RecallEffort.MID, TOKENS, null, null);
    }

    public RecallQuestion within(SearchFilter aFilter) {
        return new RecallQuestion(text, embedding, aFilter, arms, budget, maxTokens, now, window);
    }

    public RecallQuestion by(Set<Retriever> someArms) {
        return new RecallQuestion(text, embedding, filter, someArms, budget, maxTokens, now, window);
    }

    public RecallQuestion with(RecallEffort aBudget, int tokens) {
        return new RecallQuestion(text, embedding, filter, arms, aBudget, tokens, now, window);
    }

    public RecallQuestion at(@Nullable Instant aNow, @Nullable TimeSpan aWindow) {
        return new RecallQuestion(text, embedding, filter, arms, budget, maxTokens, aNow, aWindow);
    }
}
