package dev.parley.domain.content;

import dev.parley.domain.Coded;

/** Where a todo stands. */
public enum TodoStatus implements Coded {
    PENDING,
    IN_PROGRESS,
    COMPLETED;
}
