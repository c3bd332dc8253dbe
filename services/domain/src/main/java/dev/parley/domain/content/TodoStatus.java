package dev.parley.domain.content;

import dev.parley.domain.Coded;

/** The status of a todo. */
public enum TodoStatus implements Coded {
    PENDING,
    IN_PROGRESS,
    COMPLETED;
}
