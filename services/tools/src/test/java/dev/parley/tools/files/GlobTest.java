package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/ *.md /a.md true",
                "/ *.md /x/a.md true",
                "/ *.md /a.mdx false",
                "/ /*.md /x/a.md false",
                "/ **/*.md /a.md true",
                "/ **/*.md /x/y/a.md true",
                "/ x/** /x/y/a.md true",
                "/ x/** /xy/a.md false",
                "/x *.md /a.md false",
                "/x *.md /x/a.md true",
                "/x y/*.md /x/y/a.md true",
                "/ /x/**/a.md /x/a.md true",
                "/ *.{md,txt} /a.txt true",
                "/ a?c.txt /abc.txt true",
                "/ a?c.txt /a/c.txt false",
                "/ a.c /abc false",
                "/ (a)+[b]|$^ /(a)+[b]|$^ true"
            })
    void matchesPaths(String folder, String glob, String path, boolean matches) {
        assertEquals(matches, new Glob(FilePath.folder(folder), glob).matches(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{a", "a}"})
    void rejectsAnInvalidPattern(String glob) {
        assertThrows(WorkspaceException.class, () -> new Glob(FilePath.ROOT, glob));
        assertThrows(WorkspaceException.class, () -> new Glob(FilePath.ROOT, "a".repeat(1_025)));
    }

    @Test
    void matchesAHostilePatternInTime() {
        var glob = new Glob(FilePath.ROOT, "**a".repeat(300));
        assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertEquals(false, glob.matches("/" + "a".repeat(200) + "b")));
    }
}
