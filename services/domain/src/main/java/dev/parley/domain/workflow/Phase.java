package dev.parley.domain.workflow;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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

    /** The phase with this name of the specification, or this letter; in any case. */
    public static Optional<Phase> of(String text) {
        return Stream.of(values())
                .filter(phase -> phase.name().equalsIgnoreCase(text)
                        || Character.toString(phase.letter).equalsIgnoreCase(text))
                .findFirst();
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
