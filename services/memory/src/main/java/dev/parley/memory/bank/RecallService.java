package dev.parley.memory.bank;

import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Search;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.search.Index;
import java.util.List;

/** Answers questions to banks, on threads of its own. */
public interface RecallService {
    /**
     * Takes a question; it neither waits nor fails. Who is going to read the index later {@linkplain Index#hold holds} it.
     *
     * @param index of the bank, which may be written on meanwhile
     * @param known number of the bank's newest event
     * @param directives of the bank that hold, the most important first
     */
    void take(RecallRequest request, Index index, long known, List<Directive> directives);

    /** Takes what a bank looks for in itself; the answer goes to {@code results}. It neither waits nor fails. */
    void take(Search search, Index index);

    /** Code of the answer to a question to a bank that is not filled yet. */
    String OPENING = "bank_opening";

    /** The answer to a question to a bank that is not filled yet. */
    static Outcome notReady(RecallRequest request) {
        return new Outcome.Refused(
                request.bank().key(),
                request.callId(),
                OPENING,
                "what the bank knows is being made ready: ask again in some seconds");
    }
}
