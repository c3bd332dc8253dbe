package dev.parley.control.topics;

/**
 * A part of a partition.
 *
 * @param begin its first offset
 * @param end the offset behind its last one
 */
record Span(long begin, long end) {
    boolean isEmpty() {
        return begin >= end;
    }

    /** Its last offsets. */
    Span tail(long most) {
        return new Span(Math.max(begin, end - most), end);
    }
}
