package dev.parley.language.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beginnings and ends of texts. */
class ClipTest {
    @ParameterizedTest
    @CsvSource({"abc, 4, abc", "abc, 3, abc", "abc, 2, ab", "abc, 0, ''", "'', 0, ''"})
    void keepsTheStart(String text, int max, String expected) {
        assertEquals(expected, Clip.start(text, max));
    }

    @ParameterizedTest
    @CsvSource({"abc, 4, abc", "abc, 3, abc", "abc, 2, bc", "abc, 0, ''", "'', 0, ''"})
    void keepsTheEnd(String text, int max, String expected) {
        assertEquals(expected, Clip.end(text, max));
    }

    @Test
    void neverSplitsASurrogatePair() {
        String text = "a\uD83D\uDE00b";

        assertEquals("a", Clip.start(text, 2));
        assertEquals("a\uD83D\uDE00", Clip.start(text, 3));
        assertEquals("b", Clip.end(text, 2));
        assertEquals("\uD83D\uDE00b", Clip.end(text, 3));
        assertEquals("", Clip.start("\uD83D\uDE00", 1));
        assertEquals("", Clip.end("\uD83D\uDE00", 1));
    }
}
