package dev.parley.memory.bank;

import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.RecallRequest;

/** Inputs of a bank: those of its state machine, and recall requests. */
sealed interface BankInput {
    /** Whether it has waited for its bank to load, and is the next one. */
    boolean waited();

    record Decide(MemoryInput input, boolean waited) implements BankInput {}

    record Recall(RecallRequest request, boolean waited) implements BankInput {}
}
