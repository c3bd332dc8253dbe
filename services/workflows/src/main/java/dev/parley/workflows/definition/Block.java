package dev.parley.workflows.definition;

import java.util.List;

/** Tasks one after the other. @param pointer where they stand */
public record Block(String pointer, List<Task> tasks) {
    /** The place of the task of this name, or -1. */
    public int indexOf(String name) {
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
