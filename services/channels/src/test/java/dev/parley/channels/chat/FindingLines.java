package dev.parley.channels.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.BotCheck.Finding;
import java.util.Collection;
import java.util.List;

/** What the check of a bot finds, as lines: {@code ok} or {@code !!}, and the words. */
public final class FindingLines {
    private FindingLines() {}

    /** The lines, in which none of these secrets stands. */
    public static List<String> of(List<Finding> found, Collection<String> secrets) {
        String text = found.toString();
        secrets.forEach(secret -> assertFalse(text.contains(secret), text));
        return found.stream()
                .map(finding -> (finding.isFine() ? "ok " : "!! ") + finding.text())
                .toList();
    }

    /** There are as many lines as these, and each has the words of its own. */
    public static void isSaid(List<String> lines, String... expected) {
        assertEquals(expected.length, lines.size(), lines.toString());
        for (int i = 0; i < expected.length; i++) {
            String line = lines.get(i);
            assertEquals(expected[i].substring(0, 2), line.substring(0, 2), line);
            assertTrue(line.contains(expected[i].substring(3)), line);
        }
    }
}
