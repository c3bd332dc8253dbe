package dev.parley.channels.hooks;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Position of a reader in the events of projects: the next offset of each partition. Its text, such as {@code
 * 12.7_3.0}, is the id of an event, and resumes the stream on any instance.
 *
 * @param turns offsets of {@code turn-events}, by partition
 * @param processes offsets of {@code workflow-events}, by partition
 */
record TailPosition(List<Long> turns, List<Long> processes) {
    private static final int MAX_LENGTH = 8_000;

    TailPosition {
        turns = List.copyOf(turns);
        processes = List.copyOf(processes);
    }

    /** Parses the text of a position; empty for anything else. */
    static Optional<TailPosition> parse(String text) {
        String[] topics = text.length() > MAX_LENGTH ? new String[0] : text.split("_", -1);
        try {
            return topics.length == 2
                    ? Optional.of(new TailPosition(offsets(topics[0]), offsets(topics[1])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static List<Long> offsets(String text) {
        return Arrays.stream(text.split("\\.", -1)).map(Long::parseUnsignedLong).toList();
    }

    @Override
    public String toString() {
        return text(turns) + "_" + text(processes);
    }

    private static String text(List<Long> offsets) {
        return offsets.stream().map(String::valueOf).collect(Collectors.joining("."));
    }
}
