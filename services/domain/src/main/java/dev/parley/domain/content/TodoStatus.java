package dev.parley.domain.content;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where a todo stands. */
public enum TodoStatus {
    PENDING,
    IN_PROGRESS,
    COMPLETED;

    /** Its name in what models and clients read and write, for example {@code in_progress}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<TodoStatus> of(String code) {
        return Arrays.stream(values())
                .filter(status -> status.code().equals(code))
                .findFirst();
    }
}
