package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;

/** An expression failed on the value that it got. What it fails with can be caught by {@code try}. */
public final class JqException extends RuntimeException {
    private final transient Json value;

    JqException(String message) {
        this(Json.of(message));
    }

    JqException(Json value) {
        super(value.display(), null, false, false);
        this.value = value;
    }

    Json value() {
        return value;
    }
}
