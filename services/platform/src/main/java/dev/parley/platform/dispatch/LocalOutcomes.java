package dev.parley.platform.dispatch;

import dev.parley.domain.protocol.Outcome;

/** The waiters of this process for outcomes of commands. */
public interface LocalOutcomes {
    /** Whether somebody here waits for this outcome, and named this partition of the topic of outcomes in the command. */
    boolean isAwaited(int partition, Outcome outcome);

    /** Tells whoever waits here. It neither blocks nor fails. */
    void tell(Outcome outcome);
}
