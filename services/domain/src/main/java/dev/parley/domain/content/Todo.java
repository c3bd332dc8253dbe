package dev.parley.domain.content;

import java.util.List;
import java.util.Optional;

/**
 * One item of the list that an agent keeps of what it does in a session.
 *
 * @param content what is to be done, at most {@link #LONGEST} characters
 * @param activeForm the same while it is being done, for people who wait: at most as long
 */
public record Todo(String content, String activeForm, TodoStatus status) {
    /** Most characters of a text. */
    public static final int LONGEST = 500;

    /** Most todos of a session. */
    public static final int MOST = 100;

    /** @throws IllegalArgumentException when a text is empty or too long; says so to whoever wrote it */
    public Todo {
        check("content", content);
        check("activeForm", activeForm);
    }

    private static void check(String name, String text) {
        if (text.isBlank() || text.codePointCount(0, text.length()) > LONGEST) {
            throw new IllegalArgumentException("%s has to have 1 to %d characters".formatted(name, LONGEST));
        }
    }

    boolean isActive() {
        return status == TodoStatus.IN_PROGRESS;
    }

    /** The one that is being done. */
    public static Optional<Todo> active(List<Todo> todos) {
        return todos.stream().filter(Todo::isActive).findFirst();
    }

    /**
     * A copy of a list, whose order is that of its items.
     *
     * @throws IllegalArgumentException when it is too long, or more than one item is active; says what to do
     */
    public static List<Todo> checked(List<Todo> todos) {
        if (todos.size() > MOST) {
            throw new IllegalArgumentException(
                    "%d todos are too many: at most %d may be in the list, leave out what is done"
                            .formatted(todos.size(), MOST));
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
