package dev.parley.domain.memory.extract;

import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** Finds time expressions in sentences. */
@FunctionalInterface
public interface DateFinder {
    /**
     * The times in a sentence, in order.
     *
     * @param reference time of the statement
     * @param zone of the speaker
     */
    List<DatedSpan> find(String sentence, Instant reference, ZoneId zone);

    /**
     * A time expression.
     *
     * @param from start index of its words
     * @param to end index of its words, exclusive
     * @param time it refers to
     */
    record DatedSpan(int from, int to, TimeSpan time) {}
}
