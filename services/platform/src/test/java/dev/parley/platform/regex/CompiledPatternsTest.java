package dev.parley.platform.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.turn.Patterns;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledPatternsTest {
    private final Patterns patterns = new CompiledPatterns().within(Duration.ofMinutes(1));

    @Test
    void aReplacementIsTakenAsItIs() {
        assertEquals(Optional.of("a $1\\ c $1\\"), patterns.replaced("(b+)", "a bb c b", "$1\\"));
        assertEquals(Optional.empty(), patterns.replaced("b", "ac", "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x*", "(a|)", "(", "(?=x)", "(x{40}y{40}){20}"})
    void whatIsNoneOrFoundEverywhereIsRefused(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> CompiledPatterns.compile(pattern));
    }

    /** What takes others for ever. */
    @Test
    void aNestedPatternTakesNoLongerThanTheText() {
        String text = "x".repeat(100_000);
        assertTimeout(
                Duration.ofSeconds(20), () -> assertEquals(Optional.empty(), patterns.replaced("(x+x+)+y", text, "")));
    }

    @Test
    @Tag("G8")
    void aHeavyPatternIsGivenUp() {
        var impatient = new CompiledPatterns().within(Duration.ofMillis(50));
        String text = "x".repeat(100_000);
        String heavy = "([a-z]{1,20}[0-9]?){30}!";
        var refused = assertTimeout(
                Duration.ofSeconds(20),
                () -> assertThrows(IllegalArgumentException.class, () -> impatient.replaced(heavy, text, "")));
        assertTrue(refused.getMessage().contains("takes too long"), refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> impatient.replaced("y", text, ""), "its time is over");
    }
}
