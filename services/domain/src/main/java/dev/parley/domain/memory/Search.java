package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;

/**
 * A search of a bank in itself, run on another thread; the matches come back as a result.
 *
 * @param queries independent queries
 * @param zone in which their times are meant
 * @param deadline time after which the result is no longer needed
 */
public record Search(UUID callId, int attempt, BankRef bank, List<Query> queries, ZoneId zone, Instant deadline) {
    public Search {
        queries = List.copyOf(queries);
    }

    /**
     * One query.
     *
     * @param kinds of results: {@code turn}, {@code unit}, {@code reflection}
     * @param types of units; empty for all
     * @param tags results must have one of these; empty for any
     * @param limit maximum number of results
     */
    public record Query(String text, List<String> kinds, List<FactType> types, List<String> tags, int limit) {
        public Query {
            kinds = List.copyOf(kinds);
            types = List.copyOf(types);
            tags = List.copyOf(tags);
        }
    }
}
