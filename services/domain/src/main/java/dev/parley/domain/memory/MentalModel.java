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
    public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(10);

    private static final int MAX_NAME_LENGTH = 256;
    private static final int MAX_LENGTH = 2_000;
    private static final int MAX_TAGS = 50;
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(10);
    private static final Duration MAX_INTERVAL = Duration.ofDays(30);

    /**
     * @throws IllegalArgumentException for a name, question or list of tags that is empty or too long, or an interval
     *     out of bounds
     */
    public MentalModel {
        tags = List.copyOf(tags);
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "the name of a mental model has 1 to " + MAX_NAME_LENGTH + " characters");
        }
        if (question.isBlank() || question.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the question of a mental model has 1 to %,d characters".formatted(MAX_LENGTH));
        }
        if (tags.size() > MAX_TAGS) {
            throw new IllegalArgumentException("a mental model has at most " + MAX_TAGS + " tags");
        }
        if (rest.compareTo(MIN_INTERVAL) < 0 || rest.compareTo(MAX_INTERVAL) > 0) {
            throw new IllegalArgumentException("a mental model rests for 10 seconds to 30 days");
        }
    }

    /** Whether a fact with these tags may affect the answer. */
    public boolean concerns(List<String> factTags) {
        return tags.isEmpty() || factTags.stream().anyMatch(tags::contains);
    }
}
