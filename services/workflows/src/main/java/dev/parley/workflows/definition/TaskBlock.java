package dev.parley.workflows.definition;

import java.util.List;

/**
 * A sequential list of tasks.
 *
 * @param pointer its JSON pointer
 */
public record TaskBlock(String pointer, List<Task> tasks) {
    /** The index of the task with this name, or -1. */
    public int indexOf(String name) {
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
