package dev.parley.domain.memory;

import dev.parley.domain.protocol.CallResult;
import java.util.UUID;

/** Inputs of a bank's state machine. */
public sealed interface MemoryInput
        permits MemoryCommand, MemoryInput.Answered, MemoryInput.Unusable, MemoryInput.Tick {

    /** The result of a call that the bank made. */
    record Answered(CallResult result) implements MemoryInput {}

    /** The result of a call cannot be processed, nor would its redelivery be. */
    record Unusable(UUID callId) implements MemoryInput {}

    /** A timer tick: all due actions are taken. */
    record Tick() implements MemoryInput {}
}
