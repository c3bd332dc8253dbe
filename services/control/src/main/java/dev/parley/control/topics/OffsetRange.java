package dev.parley.control.topics;

/**
 * A range of offsets of a partition.
 *
 * @param begin the first offset
 * @param end the offset after the last
 */
record OffsetRange(long begin, long end) {
    boolean isEmpty() {
        return begin >= end;
    }

    /** Its last offsets. */
    OffsetRange tail(long max) {
        return new OffsetRange(Math.max(begin, end - max), end);
    }
}
