package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FileToolsTest {
    private static String refused(String text, String old, String with) {
        return assertThrows(WorkspaceException.class, () -> FileEditTool.replaced(text, old, with, false))
                .getMessage();
    }

    @Test
    void oneTextTakesThePlaceOfAnother() {
        assertEquals("a $1 c", FileEditTool.replaced("a b c", "b", "$1", false));
        assertEquals("xbx", FileEditTool.replaced("aba", "a", "x", true));
        assertEquals("x\r\ny", FileEditTool.replaced("a\r\nb\r\ny", "a\r\nb", "x", false));
    }

    @Test
    void whereItIsNotClearNothingChanges() {
        assertTrue(refused("abaca", "a", "x").contains("3 times"));
        assertTrue(refused("abc", "x", "y").contains("no such old_text"));
        assertTrue(refused("a\r\nb", "a\nb", "y").endsWith("its lines end with \\r\\n"));
        assertTrue(refused("abc", "b", "b").contains("the same"));
    }

    @Test
    void manyReplacementsDoNotFillTheMemory() {
        String much = "a".repeat(1 << 20);
        var refused = assertThrows(WorkspaceException.class, () -> FileEditTool.replaced(much, "a", much, true));
        assertEquals(WorkspaceException.Kind.TOO_LARGE, refused.kind());
    }

    @Test
    void linesAreNumbered() {
        assertEquals("1\tone\n2\ttwo\n", FileReadTool.shown("/a.txt", "one\ntwo\n", 1, 10));
        assertEquals("2\ttwo\n[1 of 3 lines; go on with offset 3]", FileReadTool.shown("/a.txt", "one\ntwo\n3", 2, 1));
        assertEquals("/a.txt is empty.", FileReadTool.shown("/a.txt", "", 1, 10));
        assertEquals("1\t\n2\t\n", FileReadTool.shown("/a.txt", "\n\n", 1, 10));
        assertThrows(WorkspaceException.class, () -> FileReadTool.shown("/a.txt", "one", 2, 10));
        assertEquals("3\tc\n", FileReadTool.shown("/a.txt", "a\nb\nc", 3, Integer.MAX_VALUE));
    }

    @Test
    void muchIsShownInParts() {
        String shown = FileReadTool.shown("/a.txt", "a line of text\n".repeat(5_000), 1, 2_000);
        assertTrue(shown.length() < 25_000 && shown.endsWith("]"), shown.length() + "");
        String long_ = FileReadTool.shown("/a.txt", "😀".repeat(3_000), 1, 1);
        assertTrue(long_.contains("… (4000 more characters)"), long_.substring(1_990));
        assertFalse(long_.contains("?"));
    }
}
