package dev.parley.domain.content;

import dev.parley.domain.Coded;

public enum TodoStatus implements Coded {
    PENDING,
    IN_PROGRESS,
    COMPLETED;
}
