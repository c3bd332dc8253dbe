package dev.parley.domain.memory;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A standing question of a bank, whose answer is refreshed when its facts change.
 *
 * @param id of the question, and of the unit with the answer
 * @param name for people
 * @param tags evidence must have one of these; empty for any
 * @param rest minimum interval between refreshes
 */
public record MentalModel(UUID id, String name, String question, List<String> tags, Duration rest) {
    /** Default interval between refreshes. */
    public static final Duration USUAL_REST = Duration.ofMinutes(10);

    private static final int LONGEST_NAME = 256;
    private static final int LONGEST = 2_000;
    private static final int MOST_TAGS = 50;
    private static final Duration LEAST_REST = Duration.ofSeconds(10);
    private static final Duration MOST_REST = Duration.ofDays(30);

    /**
     * @throws IllegalArgumentException for a name, question or list of tags that is empty or too long, or an interval
     *     out of bounds
     */
    public MentalModel {
        tags = List.copyOf(tags);
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("the name of a mental model has 1 to " + LONGEST_NAME + " characters");
        }
        if (question.isBlank() || question.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "the question of a mental model has 1 to %,d characters".formatted(LONGEST));
        }
        if (tags.size() > MOST_TAGS) {
            throw new IllegalArgumentException("a mental model has at most " + MOST_TAGS + " tags");
        }
        if (rest.compareTo(LEAST_REST) < 0 || rest.compareTo(MOST_REST) > 0) {
            throw new IllegalArgumentException("a mental model rests for 10 seconds to 30 days");
        }
    }

    /** Whether a fact with these tags may affect the answer. */
    boolean concerns(List<String> some) {
        return tags.isEmpty() || some.stream().anyMatch(tags::contains);
    }
}
