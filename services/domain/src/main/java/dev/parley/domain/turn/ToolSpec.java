package dev.parley.domain.turn;

import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tool as a model and the turn machine see it.
 *
 * @param parameters JSON Schema of the arguments
 * @param effect what may be done with a call whose worker died
 * @param timeout from the request to the result
 * @param about which argument rules look at, or null where a call is about nothing in particular
 */
public record ToolSpec(
        String name,
        String description,
        String parameters,
        ToolEffect effect,
        Duration timeout,
        @Nullable About about) implements Definition {
    /** Sends text to the person at once; carried out by the turn machine itself. */
    public static final String MESSAGE = "message";

    /** Asks another agent; carried out by the turn machine itself. */
    public static final String DELEGATE = "delegate";

    /** A tool whose calls are about nothing in particular. */
    public ToolSpec(String name, String description, String parameters, ToolEffect effect, Duration timeout) {
        this(name, description, parameters, effect, timeout, null);
    }
    /** Replaces the list of the session's todos; carried out by the turn machine itself. */
    public static final String TODO_WRITE = "todo_write";

    /** Gives that list back; carried out by the turn machine itself. */
    public static final String TODO_READ = "todo_read";

    /** Those that the turn machine carries out itself: nobody else may have a tool of such a name. */
    public static final Set<String> OWN = Set.of(MESSAGE, DELEGATE, TODO_WRITE, TODO_READ);

    /**
     * What a call is about whose telling argument has this value.
     *
     * @throws IllegalArgumentException when rules cannot look at it
     */
    public Subject subject(String value) {
        return about == null ? Subject.NONE : Subject.of(about.kind(), value);
    }

    public ToolSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(parameters, "parameters");
    }
}
