package dev.parley.domain.memory;

import java.util.UUID;

/**
 * A hard rule for what a bank's reflections may say: it stands above everything that is remembered.
 *
 * @param priority the highest first
 * @param active whether it holds now
 */
public record Directive(UUID id, String name, String content, int priority, boolean active) {
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST = 4_000;

    /** @throws IllegalArgumentException for a name or content that is empty or too long */
    public Directive {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("the name of a directive has 1 to " + LONGEST_NAME + " characters");
        }
        if (content.isBlank() || content.length() > LONGEST) {
            throw new IllegalArgumentException("a directive has 1 to %,d characters".formatted(LONGEST));
        }
    }
}
