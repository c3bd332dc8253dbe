package dev.parley.platform.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.parley.domain.turn.RegexMatching;
import dev.parley.platform.collection.BoundedMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Compiled patterns of guardrails. The time of a project's patterns is bounded ({@link TimeAllowances}). Not
 * thread-safe.
 */
public final class CompiledPatterns {
    /** Maximum weight, see {@link Regex}. */
    private static final int MAX_WEIGHT = 1_000;

    private static final int MAX_COMPILED = 500;

    private final Map<String, Pattern> compiled = new BoundedMap<>(MAX_COMPILED);
    private final TimeAllowances allowances;
    private final LongSupplier clock;

    public CompiledPatterns() {
        this(System::nanoTime);
    }

    /** @param clock in nanoseconds */
    CompiledPatterns(LongSupplier clock) {
        this.clock = clock;
        this.allowances = new TimeAllowances(clock);
    }

    /** @throws IllegalArgumentException if it is invalid, too heavy, or matches every text */
    public static Pattern compile(String pattern) {
        Pattern compiled = Regex.compile(pattern, MAX_WEIGHT);
        if (compiled.matcher("").find()) {
            throw new IllegalArgumentException("the regular expression is found in an empty text, and so in every one");
        }
        return compiled;
    }

    /** The patterns for a decision about texts of a project; matching fails when its time is used up. */
    public RegexMatching decision(String project) {
        TimeAllowances.Decision time = allowances.decision(project);
        return (pattern, text, replacement) -> {
            long start = clock.getAsLong();
            try {
                return replaceAll(pattern, new TimedText(text, start + time.remainingNanos(), clock), replacement);
            } finally {
                time.took(clock.getAsLong() - start);
            }
        };
    }

    private Optional<String> replaceAll(String pattern, TimedText text, String replacement) {
        Matcher matcher =
                compiled.computeIfAbsent(pattern, CompiledPatterns::compile).matcher(text);
        return matcher.find()
                ? Optional.of(matcher.replaceAll(Matcher.quoteReplacement(replacement)))
                : Optional.empty();
    }

    /** A text that cannot be read after a time, since a matcher cannot be stopped otherwise. */
    private static final class TimedText implements CharSequence {
        /** Number of characters between two checks of the clock; a heavy pattern takes some microseconds for each. */
        private static final int PACE = 128;

        private final String text;
        private final long end;
        private final LongSupplier clock;
        private int read = PACE - 1; // checks the first character, since many short texts take long, too

        TimedText(String text, long end, LongSupplier clock) {
            this.text = text;
            this.end = end;
            this.clock = clock;
        }

        @Override
        public char charAt(int index) {
            if (++read % PACE == 0 && clock.getAsLong() - end > 0) {
                throw new IllegalArgumentException("the regular expression takes too long for this text");
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return text.substring(from, to);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
