package dev.parley.memory.bank;

import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Search;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.search.Index;
import java.util.List;

/** Answers recall requests on its own threads. */
public interface RecallService {
    /**
     * Accepts a recall request; never blocks or throws. The index is {@linkplain Index#hold held} until it has been
     * read.
     *
     * @param index of the bank, which may be written meanwhile
     * @param lastSeq sequence number of the newest event of the bank
     * @param directives active directives of the bank, by descending priority
     */
    void submit(RecallRequest request, Index index, long lastSeq, List<Directive> directives);

    /** Accepts a search of a bank in itself; the result goes to {@code results}. Never blocks or throws. */
    void submit(Search search, Index index);

    /** Refusal code of a bank that is still loading. */
    String OPENING = "bank_opening";

    /** The refusal of a bank that is still loading. */
    static Outcome notReady(RecallRequest request) {
        return new Outcome.Refused(
                request.bank().key(), request.callId(), OPENING, "the bank is loading: try again in a few seconds");
    }
}
