package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;

/** A runtime error of an expression, which {@code try} can catch. */
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
