package dev.parley.domain.proof;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Something that did not come to its one end.
 *
 * @param id of the command, turn, call, question or reply; of an event {@code {session}#{seq}}
 * @param place the record that shows it: the beginning of what has no end, the second of two
 * @param other the first of two, or the end that the beginning is missed of; or null
 * @param detail more of it, without what people said; or empty
 */
public record Finding(
        FindingKind kind,
        String id,
        String session,
        Place place,
        @Nullable Place other,
        String detail) {
    /** The newest first. */
    public static final Comparator<Finding> NEWEST_FIRST = Comparator.comparing(
                    (Finding finding) -> finding.place().at())
            .reversed()
            .thenComparing(finding -> finding.kind().name())
            .thenComparing(Finding::id)
            .thenComparingLong(finding -> finding.place().offset());
}
