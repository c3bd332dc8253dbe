package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A question to a bank. It is answered once, on {@code outcomes}, by whoever owns the bank.
 *
 * @param query what is looked for
 * @param kinds of things that may be found: {@code turn}, {@code unit}, {@code reflection}; empty for all
 * @param types of units that may be found; empty for all
 * @param tags of which one has to be there, or with {@code allTags} each; empty for any
 * @param during only what happened or was said then, or null
 * @param asOf only what was known at that moment, or null for now
 * @param validAt only what is not known to have held at another time, or null
 * @param without names of the arms that do not look
 * @param excluded turns and documents of which nothing is to be found
 * @param maxTokens how many tokens the answer's JSON may have
 * @param trace whether to say how it came about
 * @param outcomePartition where the asker waits
 * @param deadline when the answer is of no use any more
 */
public record RecallRequest(
        UUID callId,
        BankRef bank,
        String query,
        List<String> kinds,
        List<FactType> types,
        List<String> tags,
        boolean allTags,
        @Nullable TimeSpan during,
        @Nullable Instant asOf,
        @Nullable Instant validAt,
        List<String> without,
        List<UUID> excluded,
        int maxTokens,
        boolean trace,
        int outcomePartition,
        Instant deadline) {
    /** Characters of the longest query. */
    public static final int LONGEST = 10_000;

    public RecallRequest {
        if (query.isBlank() || query.length() > LONGEST) {
            throw new IllegalArgumentException("a query has 1 to %,d characters".formatted(LONGEST));
        }
        kinds = List.copyOf(kinds);
        types = List.copyOf(types);
        tags = List.copyOf(tags);
        without = List.copyOf(without);
        excluded = List.copyOf(excluded);
    }

    /** A question for all that a bank knows now. */
    public static RecallRequest of(
            UUID callId, BankRef bank, String query, int maxTokens, int outcomePartition, Instant deadline) {
        return new RecallRequest(
                callId,
                bank,
                query,
                List.of(),
                List.of(),
                List.of(),
                false,
                null,
                null,
                null,
                List.of(),
                List.of(),
                maxTokens,
                false,
                outcomePartition,
                deadline);
    }
}
