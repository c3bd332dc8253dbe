package dev.parley.domain.memory.extract;

import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** Finds what times a sentence speaks of. */
@FunctionalInterface
public interface DateFinder {
    /** Finds none: with it, it is not known when anything happened. */
    DateFinder NONE = (sentence, reference, zone) -> List.of();

    /**
     * The times in a sentence, in its order.
     *
     * @param reference when it was said
     * @param zone of the speaker
     */
    List<DatedSpan> find(String sentence, Instant reference, ZoneId zone);

    /**
     * A time that a sentence speaks of.
     *
     * @param from index of the first character of the words that mean it
     * @param to index behind their last character
     * @param time that they mean
     */
    record DatedSpan(int from, int to, TimeSpan time) {}
}
