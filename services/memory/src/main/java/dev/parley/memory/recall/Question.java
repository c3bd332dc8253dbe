package dev.parley.memory.recall;

import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Filter;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a bank.
 *
 * @param embedding of the text; only vectors of its generation are compared. Null: nothing is found by meaning
 * @param arms those that look; the others are switched off
 * @param maxTokens how many tokens the answer's JSON may have
 * @param now the asking one's time, to which what is new counts more; null where that does not matter
 * @param window the time that the question names; null where it names none
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

    /** @throws IllegalArgumentException where not even an empty answer has room */
    public Question {
        if (maxTokens < Payload.FEWEST_TOKENS) {
            throw new IllegalArgumentException(
                    "an answer of " + maxTokens + " tokens has no room: ask for " + Payload.FEWEST_TOKENS + " or more");
        }
        arms = Set.copyOf(arms);
    }

    /** Asked of everything that is known now, with every arm and a middle budget. */
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
