package dev.parley.platform.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.parley.domain.turn.Patterns;
import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Patterns of guardrails, compiled once. For one thread. */
public final class CompiledPatterns {
    /** As {@link Regex} counts. */
    private static final int HEAVIEST = 1_000;

    private static final int KEPT = 500;

    private final Map<String, Pattern> compiled = new NewestMap<>(KEPT);

    /** @throws IllegalArgumentException when it is none, is too heavy, or is found in any text */
    public static Pattern compile(String pattern) {
        Pattern compiled = Regex.compile(pattern, HEAVIEST);
        if (compiled.matcher("").find()) {
            throw new IllegalArgumentException("the regular expression is found in an empty text, and so in every one");
        }
        return compiled;
    }

    /** These patterns, for so long from now on; what is not found by then is said to be too slow. */
    public Patterns within(Duration most) {
        long end = System.nanoTime() + most.toNanos();
        return (pattern, text, replacement) -> replaced(pattern, new TimedText(text, end), replacement);
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
        private int read = PACE - 1; // many short texts take long, too

        TimedText(String text, long end) {
            this.text = text;
            this.end = end;
        }

        @Override
        public char charAt(int index) {
            if (++read % PACE == 0 && System.nanoTime() - end > 0) {
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
