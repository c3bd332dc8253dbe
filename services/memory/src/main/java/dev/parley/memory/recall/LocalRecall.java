package dev.parley.memory.recall;

import dev.parley.domain.memory.RecallRequest;
import dev.parley.memory.bank.Banks;
import dev.parley.memory.recall.RecallExecutor.Answer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers questions to banks that are open in this process, without a way through Kafka. What this process, or any other, was told
 * to be retained is found: the owner of a bank puts it into the index before it tells so.
 */
public final class LocalRecall {
    private final Banks banks;
    private final RecallExecutor recaller;

    public LocalRecall(Banks banks, RecallExecutor recaller) {
        this.banks = banks;
        this.recaller = recaller;
    }

    /**
     * Asks; empty where the bank is not open here, or another process may own it.
     *
     * @param shown number of an event that somebody has seen: a bank that does not have it does not answer here
     */
    public Optional<CompletableFuture<Answer>> ask(RecallRequest question, long shown) {
        return banks.answering(question.bank().key())
                .filter(bank -> bank.known() >= shown)
                .map(bank -> recaller.ask(question, bank.index(), bank.known()));
    }
}
