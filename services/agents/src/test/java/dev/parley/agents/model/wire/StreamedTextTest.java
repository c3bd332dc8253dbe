package dev.parley.agents.model.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StreamedTextTest {

    @Test
    @Tag("I71")
    void joinsATextSplitAtAnyPosition() {
        String text = "a😀😁b\ud83d\ud83d\ude00c\ude00d\ud83d";
        for (long seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var pieces = new StreamedText();
            var received = new StringBuilder();
            int start = 0;
            while (start < text.length()) {
                int end = Math.min(text.length(), start + random.nextInt(4));
                String piece = pieces.add(text.substring(start, end));
                assertEquals(piece, StreamedText.replaceUnpairedSurrogates(piece), "a piece of whole characters");
                received.append(piece);
                start = end;
            }
            received.append(pieces.end());

            assertEquals("a😀😁b\uFFFD😀c\uFFFDd\uFFFD", received.toString(), "seed " + seed);
        }
    }
}
