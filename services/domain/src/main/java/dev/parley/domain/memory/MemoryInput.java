package dev.parley.domain.memory;

import dev.parley.domain.turn.CallResult;

/** What a bank's machine decides about. */
public sealed interface MemoryInput permits MemoryCommand, MemoryInput.Answered, MemoryInput.Tick {

    /** Somebody answered a call of the bank's. */
    record Answered(CallResult result) implements MemoryInput {}

    /** Some time passed. */
    record Tick() implements MemoryInput {}
}
