package dev.parley.domain.workflow;

import java.util.Locale;

/**
 * The phase of a workflow process or task: the status code in tables, and the status phase of the Serverless Workflow
 * specification.
 */
public enum Phase {
    /** Not started yet. */
    PENDING('U'),
    /** Running, or waiting for a call. */
    RUNNING('A'),
    /** Waiting for a person, an event or a time. */
    WAITING('W'),
    /** Suspended by a person; can be resumed. */
    SUSPENDED('S'),
    CANCELLED('X'),
    FAULTED('F'),
    COMPLETED('C');

    private final char letter;

    Phase(char letter) {
        this.letter = letter;
    }

    /** The {@code status_code} in tables. */
    public char letter() {
        return letter;
    }

    /** The name in the specification. */
    public String specificationName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the phase is terminal. */
    public boolean isFinal() {
        return this == CANCELLED || this == FAULTED || this == COMPLETED;
    }
}
