package dev.parley.platform.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.turn.RegexMatching;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledPatternsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final String TEXT = "x".repeat(100_000);
    /** Too long for any machine to match with {@link #HEAVY} within the time of a decision. */
    private static final String LONG_TEXT = "x".repeat(10_000_000);

    private static final String HEAVY = "([a-z]{1,20}[0-9]?){30}!";

    private final RegexMatching patterns = new CompiledPatterns().decision("default");

    @Test
    void replacementIsLiteral() {
        assertEquals(Optional.of("a $1\\ c $1\\"), patterns.replaceAll("(b+)", "a bb c b", "$1\\"));
        assertEquals(Optional.empty(), patterns.replaceAll("b", "ac", "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x*", "(a|)", "(", "(?=x)", "(x{40}y{40}){20}"})
    void rejectsInvalidPatternsAndPatternsThatMatchEmptyText(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> CompiledPatterns.compile(pattern));
    }

    /** Takes exponential time in an engine that backtracks. */
    @Test
    void nestedQuantifiersFinishInTime() {
        assertTimeout(
                Duration.ofSeconds(20),
                () -> assertEquals(Optional.empty(), patterns.replaceAll("(x+x+)+y", TEXT, "")));
    }

    @Test
    @Tag("G8")
    void slowPatternIsAborted() {
        var refused = assertTimeout(
                Duration.ofSeconds(20),
                () -> assertThrows(IllegalArgumentException.class, () -> patterns.replaceAll(HEAVY, LONG_TEXT, "")));
        assertTrue(refused.getMessage().contains("takes too long"), refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> patterns.replaceAll("y", TEXT, ""), "its time is over");
    }

    @Test
    @Tag("I113")
    void limitsSlowPatternsOfAProjectToATwentiethOfTheTime() {
        var clock = new AtomicLong();
        var timed = new CompiledPatterns(() -> clock.addAndGet(MILLISECOND)); // advances at each reading
        long start = clock.get();

        assertTooSlow(timed.decision("slow"));
        long first = clock.get() - start;
        assertTooSlow(timed.decision("slow"));
        long second = clock.get() - start - first;
        assertEquals(Optional.of("a"), timed.decision("other").replaceAll("b", "b", "a"));
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        long waited = clock.get();
        assertTooSlow(timed.decision("slow"));
        long third = clock.get() - waited;

        assertBetween(1_000, 1_020, first);
        assertBetween(5, 70, second);
        assertBetween(105, 120, third);
    }

    private static void assertTooSlow(RegexMatching decision) {
        assertThrows(IllegalArgumentException.class, () -> decision.replaceAll(HEAVY, TEXT, ""));
    }

    private static void assertBetween(long minimum, long maximum, long nanos) {
        long millis = nanos / MILLISECOND;
        assertTrue(minimum <= millis && millis <= maximum, millis + " ms");
    }
}
