package dev.parley.domain.turn;

import java.util.List;

/** Validates arguments of a call against the JSON Schema of its tool, in bounded time. */
@FunctionalInterface
public interface ArgumentSchemas {
    /** Short descriptions of the errors; empty if the arguments are valid, or if the schema cannot be checked. */
    List<String> errors(String schema, String arguments);
}
