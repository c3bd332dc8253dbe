package dev.parley.memory.recall;

import dev.parley.domain.memory.RecallRequest;
import dev.parley.memory.bank.Banks;
import dev.parley.memory.recall.RecallExecutor.Answer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers recall requests to banks that are open in this process, without Kafka. It finds whatever was confirmed as
 * retained, here or elsewhere: the owner of a bank updates the index before it confirms.
 */
public final class LocalRecall {
    private final Banks banks;
    private final RecallExecutor executor;

    public LocalRecall(Banks banks, RecallExecutor executor) {
        this.banks = banks;
        this.executor = executor;
    }

    /**
     * Recalls; empty where the bank is not open here, or another process may own it.
     *
     * @param seenSeq sequence number of an event that the caller has seen: a bank without it does not answer here
     */
    public Optional<CompletableFuture<Answer>> recall(RecallRequest request, long seenSeq) {
        return banks.searchable(request.bank().key())
                .filter(bank -> bank.known() >= seenSeq)
                .map(bank -> executor.answer(request, bank.index(), bank.known()));
    }
}
