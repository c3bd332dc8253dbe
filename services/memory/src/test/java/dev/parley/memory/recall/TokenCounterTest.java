package dev.parley.memory.recall;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenCounterTest {
    @Test
    void lowerBoundDoesNotExceedTheTokenCount() {
        List<String> parts = List.of(
                "bee",
                "B",
                "'s",
                "12",
                "3456",
                "é",
                "中文",
                "🐝",
                "²",
                " ",
                "\n",
                "\"},{\"",
                "<|endoftext|>",
                "—",
                "it's",
                "0a1b");
        var random = new Random(11);
        for (int round = 0; round < 5_000; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            assertTrue(TokenCounter.atLeast(text.toString()) <= TokenCounter.of(text.toString()), text.toString());
        }
    }
}
