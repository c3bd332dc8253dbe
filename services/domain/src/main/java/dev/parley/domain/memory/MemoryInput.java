package dev.parley.domain.memory;

import dev.parley.domain.protocol.CallResult;
import java.util.UUID;

/** What a bank's machine decides about. */
public sealed interface MemoryInput
        permits MemoryCommand, MemoryInput.Answered, MemoryInput.Unusable, MemoryInput.Tick {

    /** Somebody answered a call of the bank's. */
    record Answered(CallResult result) implements MemoryInput {}

    /** The answer to a call of the bank's cannot be used, and will not be when it comes again. */
    record Unusable(UUID callId) implements MemoryInput {}

    /** Some time passed. */
    record Tick() implements MemoryInput {}
}
