package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FileToolsTest {
    private static String errorMessage(String text, String old, String replacement) {
        return assertThrows(WorkspaceException.class, () -> new TextReplacement(old, replacement, false).apply(text))
                .getMessage();
    }

    @Test
    void replacesTextLiterally() {
        assertEquals("a $1 c", new TextReplacement("b", "$1", false).apply("a b c"));
        assertEquals("xbx", new TextReplacement("a", "x", true).apply("aba"));
        assertEquals("x\r\ny", new TextReplacement("a\r\nb", "x", false).apply("a\r\nb\r\ny"));
    }

    @Test
    void rejectsAmbiguousReplacements() {
        assertTrue(errorMessage("abaca", "a", "x").contains("3 times"));
        assertTrue(errorMessage("abc", "x", "y").contains("no such old_text"));
        assertTrue(errorMessage("a\r\nb", "a\nb", "y").endsWith("its lines end with \\r\\n"));
        assertTrue(errorMessage("abc", "b", "b").contains("the same"));
    }

    @Test
    void rejectsReplacementsWithATooLargeResult() {
        String text = "a".repeat(1 << 20);
        var refused = assertThrows(WorkspaceException.class, () -> new TextReplacement("a", text, true).apply(text));
        assertEquals(WorkspaceException.Kind.TOO_LARGE, refused.kind());
    }

    @Test
    void numbersLines() {
        assertEquals("1\tone\n2\ttwo\n", new NumberedLines(1, 10).show("/a.txt", "one\ntwo\n"));
        assertEquals(
                "2\ttwo\n[1 of 3 lines; go on with offset 3]", new NumberedLines(2, 1).show("/a.txt", "one\ntwo\n3"));
        assertEquals("/a.txt is empty.", new NumberedLines(1, 10).show("/a.txt", ""));
        assertEquals("1\t\n2\t\n", new NumberedLines(1, 10).show("/a.txt", "\n\n"));
        assertThrows(WorkspaceException.class, () -> new NumberedLines(2, 10).show("/a.txt", "one"));
        assertEquals("3\tc\n", new NumberedLines(3, Integer.MAX_VALUE).show("/a.txt", "a\nb\nc"));
    }

    @Test
    void showsALongTextInParts() {
        String lines = new NumberedLines(1, 2_000).show("/a.txt", "a line of text\n".repeat(5_000));
        assertTrue(lines.length() < 25_000 && lines.endsWith("]"), lines.length() + "");
        String longLine = new NumberedLines(1, 1).show("/a.txt", "😀".repeat(3_000));
        assertTrue(longLine.contains("… (4000 more characters)"), longLine.substring(1_990));
        assertFalse(longLine.contains("?"));
    }
}
