package dev.parley.platform.dispatch;

import dev.parley.domain.protocol.Outcome;

/** The callers in this process that wait for outcomes of commands. */
public interface OutcomeWaiters {
    /** Whether a caller here waits for this outcome, whose command named this partition of its topic. */
    boolean isAwaited(int partition, Outcome outcome);

    /** Delivers an outcome to the waiting callers. It neither blocks nor fails. */
    void deliver(Outcome outcome);
}
