package dev.parley.domain.turn;

import java.time.Duration;
import java.util.Objects;

/**
 * A tool as a model and the turn machine see it.
 *
 * @param parameters JSON Schema of the arguments
 * @param effect what may be done with a call whose worker died
 * @param timeout from the request to the result
 */
public record ToolSpec(String name, String description, String parameters, ToolEffect effect, Duration timeout)
        implements Definition {
    /** Sends text to the person at once; carried out by the turn machine itself. */
    public static final String MESSAGE = "message";

    /** Asks another agent; carried out by the turn machine itself. */
    public static final String DELEGATE = "delegate";

    public ToolSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(parameters, "parameters");
    }
}
