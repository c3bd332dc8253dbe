package dev.parley.domain.turn;

import java.util.Optional;

/** Regular expression matching in bounded time. Deterministic, except for timeouts. */
@FunctionalInterface
public interface RegexMatching {
    /**
     * Replaces each match; empty if there is none.
     *
     * @param replacement literal text
     * @throws IllegalArgumentException if the pattern is invalid, or matching takes too long
     */
    Optional<String> replaceAll(String pattern, String text, String replacement);
}
