package dev.parley.platform.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Finding;
import java.util.Collection;
import java.util.List;

/** The findings of a bot's check as lines: {@code ok} or {@code !!}, and the text. */
public final class FindingLines {
    private FindingLines() {}

    /** The lines; asserts that they contain none of these secrets. */
    public static List<String> of(List<Finding> found, Collection<String> secrets) {
        String text = found.toString();
        secrets.forEach(secret -> assertFalse(text.contains(secret), text));
        return found.stream()
                .map(finding -> (finding.isFine() ? "ok " : "!! ") + finding.text())
                .toList();
    }

    /** Asserts that there are as many lines as expected, and that each contains its text. */
    public static void isSaid(List<String> lines, String... expected) {
        assertEquals(expected.length, lines.size(), lines.toString());
        for (int i = 0; i < expected.length; i++) {
            String line = lines.get(i);
            assertEquals(expected[i].substring(0, 2), line.substring(0, 2), line);
            assertTrue(line.contains(expected[i].substring(3)), line);
        }
    }
}
