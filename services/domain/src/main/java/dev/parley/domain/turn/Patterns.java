package dev.parley.domain.turn;

import java.util.Optional;

/**
 * Finds regular expressions in texts, in bounded time. The same expression and text give the same, unless that takes too
 * long.
 */
@FunctionalInterface
public interface Patterns {
    /**
     * The text with another one in place of each match, or nothing where the pattern is not found.
     *
     * @param replacement as it is: no sign in it means anything
     * @throws IllegalArgumentException when the pattern is none, or takes too long
     */
    Optional<String> replaced(String pattern, String text, String replacement);
}
