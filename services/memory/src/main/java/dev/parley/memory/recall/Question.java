package dev.parley.memory.recall;

import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Filter;
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
public record Question(
        String text,
        @Nullable Embedding embedding,
        Filter filter,
        Set<Retriever> arms,
        RecallEffort budget,
        int maxTokens,
        @Nullable Instant now,
        @Nullable TimeSpan window) {
    public static final int TOKENS = 4_096;

    /** @throws IllegalArgumentException where the token limit is below that of an empty answer */
    public Question {
        if (maxTokens < Payload.MIN_TOKENS) {
            throw new IllegalArgumentException(
                    "a token limit of " + maxTokens + " is too low: use " + Payload.MIN_TOKENS + " or more");
        }
        arms = Set.copyOf(arms);
    }

    /** A query over current knowledge, with all retrievers and medium effort. */
    public static Question of(String text, @Nullable Embedding embedding) {
        return new Question(text, embedding, Filter.NONE, Retriever.ALL, RecallEffort.MID, TOKENS, null, null);
    }

    public Question within(Filter aFilter) {
        return new Question(text, embedding, aFilter, arms, budget, maxTokens, now, window);
    }

    public Question by(Set<Retriever> someArms) {
        return new Question(text, embedding, filter, someArms, budget, maxTokens, now, window);
    }

    public Question with(RecallEffort aBudget, int tokens) {
        return new Question(text, embedding, filter, arms, aBudget, tokens, now, window);
    }

    public Question at(@Nullable Instant aNow, @Nullable TimeSpan aWindow) {
        return new Question(text, embedding, filter, arms, budget, maxTokens, aNow, aWindow);
    }
}
