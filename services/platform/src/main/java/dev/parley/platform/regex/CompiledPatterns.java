package dev.parley.platform.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.parley.domain.turn.Patterns;
import dev.parley.platform.collection.BoundedMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Patterns of guardrails, compiled once; how long those of a project may keep others waiting is bounded ({@link TimeAllowances}). For one
 * thread.
 */
public final class CompiledPatterns {
    /** As {@link Regex} counts. */
    private static final int HEAVIEST = 1_000;

    private static final int KEPT = 500;

    private final Map<String, Pattern> compiled = new BoundedMap<>(KEPT);
    private final TimeAllowances allowances;
    private final LongSupplier clock;

    public CompiledPatterns() {
        this(System::nanoTime);
    }

    /** @param clock nanoseconds since some moment */
    CompiledPatterns(LongSupplier clock) {
        this.clock = clock;
        this.allowances = new TimeAllowances(clock);
    }

    /** @throws IllegalArgumentException when it is none, is too heavy, or is found in any text */
    public static Pattern compile(String pattern) {
        Pattern compiled = Regex.compile(pattern, HEAVIEST);
        if (compiled.matcher("").find()) {
            throw new IllegalArgumentException("the regular expression is found in an empty text, and so in every one");
        }
        return compiled;
    }

    /** For one decision about texts of this project; what is not found in its time is said to be too slow. */
    public Patterns decision(String project) {
        TimeAllowances.Decision time = allowances.decision(project);
        return (pattern, text, replacement) -> {
            long begin = clock.getAsLong();
            try {
                return replaced(pattern, new TimedText(text, begin + time.left(), clock), replacement);
            } finally {
                time.took(clock.getAsLong() - begin);
            }
        };
    }

    private Optional<String> replaced(String pattern, TimedText text, String replacement) {
        Matcher matcher =
                compiled.computeIfAbsent(pattern, CompiledPatterns::compile).matcher(text);
        return matcher.find()
                ? Optional.of(matcher.replaceAll(Matcher.quoteReplacement(replacement)))
                : Optional.empty();
    }

    /** A text that can be read until a moment, in nanoseconds of the process: nothing else stops a matcher. */
    private static final class TimedText implements CharSequence {
        /** Characters between two looks at the clock; a heavy pattern takes some microseconds for each. */
        private static final int PACE = 128;

        private final String text;
        private final long end;
        private final LongSupplier clock;
        private int read = PACE - 1; // many short texts take long, too

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
