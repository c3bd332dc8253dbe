package dev.parley.domain.content;

import java.util.List;
import java.util.Optional;

/**
 * An item of an agent's todo list in a session.
 *
 * @param content task, at most {@link #MAX_LENGTH} characters
 * @param activeForm the task as shown to users while it is in progress; same limit
 */
public record Todo(String content, String activeForm, TodoStatus status) {
    /** Maximum characters of a text. */
    public static final int MAX_LENGTH = 500;

    /** Maximum todos of a session. */
    public static final int MAX_COUNT = 100;

    /** @throws IllegalArgumentException if a text is blank or too long; the message is for the model */
    public Todo {
        check("content", content);
        check("activeForm", activeForm);
    }

    private static void check(String name, String text) {
        if (text.isBlank() || text.codePointCount(0, text.length()) > MAX_LENGTH) {
            throw new IllegalArgumentException("%s must have 1 to %d characters".formatted(name, MAX_LENGTH));
        }
    }

    boolean isActive() {
        return status == TodoStatus.IN_PROGRESS;
    }

    /** The todo in progress. */
    public static Optional<Todo> active(List<Todo> todos) {
        return todos.stream().filter(Todo::isActive).findFirst();
    }

    /**
     * A validated copy of a list.
     *
     * @throws IllegalArgumentException if it is too long, or more than one item is active; the message is for the model
     */
    public static List<Todo> requireValid(List<Todo> todos) {
        if (todos.size() > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "%d todos are too many: at most %d may be in the list, leave out what is done"
                            .formatted(todos.size(), MAX_COUNT));
        }
        long active = todos.stream().filter(Todo::isActive).count();
        if (active > 1) {
            throw new IllegalArgumentException(
                    "%d todos are in_progress: at most one may be, make the others pending or completed"
                            .formatted(active));
        }
        return List.copyOf(todos);
    }
}
