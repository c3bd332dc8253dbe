package dev.parley.workflows.engine;

import java.util.List;

/** A decision: the new state, with events and effects. */
public record ProcessDecision(ProcessState state, List<ProcessEvent> events, List<ProcessEffect> effects) {}
