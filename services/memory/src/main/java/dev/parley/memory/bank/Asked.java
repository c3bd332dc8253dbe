package dev.parley.memory.bank;

import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Search;
import dev.parley.memory.search.Index;

/** Answers questions to banks, on threads of its own. */
public interface Asked {
    /**
     * Takes a question; it neither waits nor fails.
     *
     * @param index of the bank, which may be written on meanwhile
     * @param known number of the bank's newest event
     */
    void take(RecallRequest request, Index index, long known);

    /** Takes what a bank looks for in itself; the answer goes to {@code results}. It neither waits nor fails. */
    void take(Search search, Index index);
}
