package dev.parley.domain.proof;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Something that did not reach exactly one end.
 *
 * @param id of the command, turn, call, approval or reply; {@code {session}#{seq}} for an event
 * @param place the record that shows it: the start without an end, or the duplicate
 * @param other the first of two duplicates, or the end without a start; or null
 * @param detail without content; may be empty
 */
public record Finding(
        FindingKind kind,
        String id,
        String session,
        Place place,
        @Nullable Place other,
        String detail) {
    /** Newest first. */
    public static final Comparator<Finding> NEWEST_FIRST = Comparator.comparing(
                    (Finding finding) -> finding.place().at())
            .reversed()
            .thenComparing(finding -> finding.kind().name())
            .thenComparing(Finding::id)
            .thenComparingLong(finding -> finding.place().offset());
}
