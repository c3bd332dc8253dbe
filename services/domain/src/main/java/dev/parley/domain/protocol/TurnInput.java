package dev.parley.domain.protocol;

/** All that can happen to a session. */
public sealed interface TurnInput permits TurnCommand, CallResult, TurnInput.Tick {

    /** Time has passed: whatever is due now happens. */
    record Tick() implements TurnInput {}
}
