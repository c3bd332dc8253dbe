package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.permission.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilePathTest {
    @ParameterizedTest
    @CsvSource({"/a.txt,/a.txt", "a.txt,/a.txt", "//a///b.txt,/a/b.txt", "/ü/日本.md,/ü/日本.md", "/C:/x,/C:/x", "/~/x,/~/x"
    })
    void normalizesPaths(String path, String canonical) {
        assertEquals(canonical, FilePath.file(path).value());
        assertEquals(canonical, Subject.of(Subject.Kind.PATH, path).value(), "rules see the same");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "a/",
                "..",
                "/a/../b",
                "/a/./b",
                "../../etc/passwd",
                "a\\b",
                "C:\\x",
                "/a\nb",
                "/a\0b",
                "/a\u202Eb",
                "/a\u200Bb",
                "/a\u00ADb",
                "/a\u200Eb",
                "/\uFEFFa",
                "/\uD800",
                "/\uFFFDa",
                "/ a",
                "/a /b",
                "/.parley/x",
                ".Parley",
                "/ / "
            })
    void rejectsAnInvalidPath(String path) {
        var refused = assertThrows(WorkspaceException.class, () -> FilePath.file(path));
        assertEquals(WorkspaceException.Kind.INVALID_PATH, refused.kind());
        assertTrue(refused.getMessage().startsWith("the path "), refused.getMessage());
    }

    @Test
    void composedAndDecomposedFormsAreOneName() {
        assertEquals(FilePath.file("/caf\u00E9.md"), FilePath.file("/cafe\u0301.md"));
    }

    @Test
    void limitsTheLengthOfPathsAndNames() {
        // Given
        String name = "a".repeat(255);

        // Then
        assertEquals(
                1_024,
                FilePath.file("/" + name + "/" + name + "/" + name + "/" + name)
                        .value()
                        .length());
        assertThrows(WorkspaceException.class, () -> FilePath.file("/" + name + "a"));
        assertThrows(
                WorkspaceException.class,
                () -> FilePath.file("/" + name + "/" + name + "/" + name + "/" + name + "/a"));
        assertThrows(WorkspaceException.class, () -> FilePath.file("/".repeat(100_000) + "a"));
    }

    @Test
    void returnsFoldersAndPrefix() {
        assertEquals(List.of("/a", "/a/b"), FilePath.file("/a/b/c.txt").folders());
        assertEquals(List.of(), FilePath.file("/c.txt").folders());
        assertEquals("/", FilePath.folder("/").prefix());
        assertEquals("/a/", FilePath.folder("a/").prefix());
    }
}
