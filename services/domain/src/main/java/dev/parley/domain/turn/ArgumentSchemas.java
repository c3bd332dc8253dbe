package dev.parley.domain.turn;

import java.util.List;

/** Holds the arguments of a call against the JSON Schema of its tool, in bounded time. */
@FunctionalInterface
public interface ArgumentSchemas {
    /** What is wrong with them, in short words; nothing where they fit, and where the schema cannot be checked. */
    List<String> errors(String schema, String arguments);
}
