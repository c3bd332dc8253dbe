package dev.parley.domain.turn;

import java.util.Optional;

/**
 * Finds regular expressions in texts, in time that grows with both their lengths alone. The same expression and text always
 * give the same.
 */
@FunctionalInterface
public interface Patterns {
    /**
     * The text with another one in place of each match, or nothing where the pattern is not found.
     *
     * @param replacement as it is: no sign in it means anything
     * @throws IllegalArgumentException when the pattern is none
     */
    Optional<String> replaced(String pattern, String text, String replacement);
}
