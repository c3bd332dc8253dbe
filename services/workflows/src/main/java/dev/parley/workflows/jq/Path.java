package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;

/** Path of a value within the input of an expression. */
sealed interface Path {
    /** The input itself. */
    record Start() implements Path {}

    record Child(Path parent, Json key) implements Path {}

    /** A computed value, which has no path. */
    record Nowhere(Json value) implements Path {}

    /** The path of a child. */
    default Path child(Json key) {
        if (this instanceof Nowhere(Json value) && !value.isNull()) {
            throw new JqException("Invalid path expression with result " + Paths.describe(value));
        }
        return new Child(this, key);
    }

    /** The keys from the start, as an array. */
    default Json toJson() {
        var keys = new ArrayDeque<Json>();
        Path current = this;
        while (current instanceof Child(Path parent, Json key)) {
            keys.push(key);
            current = parent;
        }
        if (current instanceof Nowhere(Json value) && !value.isNull()) {
            throw new JqException("Invalid path expression with result " + Paths.describe(value));
        }
        return Json.of(new ArrayList<>(keys));
    }
}
