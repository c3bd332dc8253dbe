package dev.parley.domain.protocol;

/** Inputs of the turn machine. */
public sealed interface TurnInput permits TurnCommand, CallResult, TurnInput.Tick {

    /** A timer tick: all due actions are taken. */
    record Tick() implements TurnInput {}
}
