package dev.parley.platform.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.parley.domain.turn.Patterns;
import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Patterns of guardrails, compiled once, and how long those of a project may keep others waiting: a decision has {@link #FREE}, and
 * draws on the project's allowance beyond that. An allowance holds {@link #MOST} and grows by a {@value #SHARE}th of the time that passes.
 * For one thread.
 */
public final class CompiledPatterns {
    /** What each decision has. A pattern for card numbers takes 1 ms for 100,000 characters. */
    static final Duration FREE = Duration.ofMillis(5);

    /** What a decision may take beyond that, of a project whose patterns were fast for long enough. */
    static final Duration MOST = Duration.ofSeconds(1);

    private static final int SHARE = 20;
    private static final int PROJECTS = 1_000;

    /** As {@link Regex} counts. */
    private static final int HEAVIEST = 1_000;

    private static final int KEPT = 500;

    private final Map<String, Pattern> compiled = new NewestMap<>(KEPT);
    private final Map<String, Allowance> allowances = new NewestMap<>(PROJECTS);
    private final LongSupplier clock;

    public CompiledPatterns() {
        this(System::nanoTime);
    }

    /** @param clock nanoseconds since some moment */
    CompiledPatterns(LongSupplier clock) {
        this.clock = clock;
    }

    /** @throws IllegalArgumentException when it is none, is too heavy, or is found in any text */
    public static Pattern compile(String pattern) {
        Pattern compiled = Regex.compile(pattern, HEAVIEST);
        if (compiled.matcher("").find()) {
            throw new IllegalArgumentException("the regular expression is found in an empty text, and so in every one");
        }
        return compiled;
    }

    /** Nanoseconds that a project may draw on, as of a moment. */
    private record Allowance(long nanos, long at) {
        Allowance now(long now) {
            return new Allowance(Math.min(MOST.toNanos(), nanos + (now - at) / SHARE), now);
        }
    }

    /** For one decision about texts of this project; what is not found in its time is said to be too slow. */
    public Patterns decision(String project) {
        long now = clock.getAsLong();
        return new Decision(
                project,
                allowances
                        .getOrDefault(project, new Allowance(MOST.toNanos(), now))
                        .now(now));
    }

    private final class Decision implements Patterns {
        private final String project;
        private Allowance allowance;
        private long free = FREE.toNanos();

        Decision(String project, Allowance allowance) {
            this.project = project;
            this.allowance = allowance;
        }

        @Override
        public Optional<String> replaced(String pattern, String text, String replacement) {
            long begin = clock.getAsLong();
            try {
                long end = begin + free + allowance.nanos();
                return CompiledPatterns.this.replaced(pattern, new TimedText(text, end, clock), replacement);
            } finally {
                took(clock.getAsLong() - begin);
            }
        }

        private void took(long nanos) {
            long drawn = Math.max(0, nanos - free);
            free = Math.max(0, free - nanos);
            if (drawn > 0) {
                allowance = new Allowance(Math.max(0, allowance.nanos() - drawn), allowance.at() + nanos);
                allowances.put(project, allowance);
            }
        }
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
