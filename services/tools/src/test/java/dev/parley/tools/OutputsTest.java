package dev.parley.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputsTest {
    @Test
    void returnsAShortTextUnchanged() {
        String text = "x".repeat(Outputs.MAX_BYTES);
        assertSame(text, Outputs.truncateMiddle(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ü", "€", "😀"})
    void omitsAndCountsTheMiddleOfALongText(String character) {
        int count = 200_000;
        String cut = Outputs.truncateMiddle(character.repeat(count));

        assertTrue(cut.getBytes(StandardCharsets.UTF_8).length <= Outputs.MAX_BYTES);
        int omitted = Integer.parseInt(cut.replaceAll("(?s).*… (\\d+) characters left out.*", "$1"));
        String kept = cut.replaceAll("\n\\[… \\d+ characters left out …]\n", "");
        assertEquals(character.repeat(count - omitted), kept);
    }
}
