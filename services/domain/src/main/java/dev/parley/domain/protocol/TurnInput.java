package dev.parley.domain.protocol;

/** Inputs of the turn machine. */
public sealed interface TurnInput permits TurnCommand, CallResult, TurnInput.Tick {

    /** A timer tick: everything that is due happens. */
    record Tick() implements TurnInput {}
}
