package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PassagesTest {
    @Test
    void shortTextIsOnePassageAndABlankOneNone() {
        assertEquals(List.of("Hello there. How are you?"), Passages.of("Hello there.\n\nHow are you?"));
        assertEquals(List.of(), Passages.of(" \n "));
    }

    /** Words of any length and ends of sentences anywhere. */
    @Test
    void passagesAreCompleteBoundedAndStable() {
        var random = new Random(5);
        for (int round = 0; round < 200; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(400); i > 0; i--) {
                text.append("x".repeat(1 + random.nextInt(random.nextInt(50) == 0 ? 1_500 : 12)));
                text.append(List.of(" ", ". ", "\n", "? ", " 🐝 ").get(random.nextInt(5)));
            }
            List<String> pieces = Passages.of(text.toString());
            assertEquals(
                    text.toString().replaceAll("\\s", ""),
                    String.join("", pieces).replaceAll("\\s", ""));
            for (String piece : pieces) {
                assertTrue(piece.length() <= Passages.MAX_LENGTH, piece);
                assertEquals(List.of(piece), Passages.of(piece));
            }
        }
    }
}
