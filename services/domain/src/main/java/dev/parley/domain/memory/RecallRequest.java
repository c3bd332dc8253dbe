package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recall query to a bank. The instance that owns the bank answers it once, on {@code outcomes}.
 *
 * @param user who asks, in whose time zone the query is meant; null for the person whose bank it is
 * @param query search text
 * @param kinds of results: {@code turn}, {@code unit}, {@code reflection}; empty for all
 * @param types of units; empty for all
 * @param tags results must have one of these, or with {@code allTags} all; empty for any
 * @param during limits results to events and statements of this period, or null
 * @param asOf searches the state of knowledge at this time, or null for now
 * @param validAt excludes facts known to be valid at other times only, or null
 * @param without names of retrieval arms to skip
 * @param excluded turns and documents to leave out
 * @param maxTokens limit of the answer's JSON
 * @param trace whether to explain the ranking
 * @param outcomePartition partition of {@code outcomes} on which the sender waits
 * @param deadline time after which the answer is no longer needed
 */
public record RecallRequest(
        UUID callId,
        BankRef bank,
        @Nullable String user,
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
    /** Maximum characters of a query. */
    public static final int MAX_LENGTH = 10_000;

    public RecallRequest {
        if (query.isBlank() || query.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a query has 1 to %,d characters".formatted(MAX_LENGTH));
        }
        kinds = List.copyOf(kinds);
        types = List.copyOf(types);
        tags = List.copyOf(tags);
        without = List.copyOf(without);
        excluded = List.copyOf(excluded);
    }

    /** A query over all current content of a bank. */
    public static RecallRequest of(
            UUID callId,
            BankRef bank,
            @Nullable String user,
            String query,
            int maxTokens,
            int outcomePartition,
            Instant deadline) {
        return new RecallRequest(
                callId,
                bank,
                user,
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
