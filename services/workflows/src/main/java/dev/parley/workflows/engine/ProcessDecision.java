package dev.parley.workflows.engine;

import java.util.List;

/** What was decided. */
public record ProcessDecision(ProcessState state, List<ProcessEvent> events, List<Effect> effects) {}
