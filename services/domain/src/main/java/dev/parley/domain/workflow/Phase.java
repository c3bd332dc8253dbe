package dev.parley.domain.workflow;

import java.util.Locale;

/** How far a process or a task is: the letter of the tables, and the phase of the specification. */
public enum Phase {
    /** Is to begin. */
    PENDING('U'),
    /** Runs, or waits for a call. */
    RUNNING('A'),
    /** Waits for a person, an event or a time. */
    WAITING('W'),
    /** Was stopped by a person, and may go on. */
    SUSPENDED('S'),
    CANCELLED('X'),
    FAULTED('F'),
    COMPLETED('C');

    private final char letter;

    Phase(char letter) {
        this.letter = letter;
    }

    /** As {@code status_code} has it. */
    public char letter() {
        return letter;
    }

    /** As the specification calls it. */
    public String specified() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether nothing comes after it. */
    public boolean isFinal() {
        return this == CANCELLED || this == FAULTED || this == COMPLETED;
    }
}
