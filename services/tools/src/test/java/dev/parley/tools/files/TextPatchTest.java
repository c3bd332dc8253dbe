package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.difflib.patch.PatchFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextPatchTest {
    /** Lines that a patch parser could misread. */
    private static final List<String> AMBIGUOUS_LINES = List.of(
            "",
            " ",
            "\r",
            "a\r",
            "@@ -1,1 +1,1 @@",
            "--- a",
            "+++ b",
            "-",
            "+",
            "\\ No newline at end of file",
            "ü😀",
            "\u2028",
            "\u0085",
            "x");

    private static String random(SplittableRandom random) {
        return IntStream.range(0, random.nextInt(12))
                .mapToObj(_ -> AMBIGUOUS_LINES.get(random.nextInt(AMBIGUOUS_LINES.size())))
                .collect(Collectors.joining("\n", "", random.nextBoolean() ? "\n" : ""));
    }

    @Test
    void patchesRestoreRandomTextsExactly() throws PatchFailedException {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 3_000; i++) {
            String before = random(random);
            String after = random(random);
            String patch = TextPatch.between(before, after);
            assertEquals(after, TextPatch.apply(before, List.of(patch)), patch);
        }
    }

    @Test
    void appliesPatchesInSequence() throws PatchFailedException {
        var random = new SplittableRandom(8);
        String first = random(random);
        var patches = new ArrayList<String>();
        String last = first;
        for (int i = 0; i < 50; i++) {
            String next = random(random);
            patches.add(TextPatch.between(last, next));
            last = next;
        }
        assertEquals(last, TextPatch.apply(first, patches));
    }

    @Test
    void rejectsAPatchOfAnotherText() {
        String patch = TextPatch.between("a\nb\nc", "a\nx\nc");
        assertThrows(PatchFailedException.class, () -> TextPatch.apply("a\nz\nc", List.of(patch)));
    }

    @Test
    void oneChangedLineYieldsASmallPatch() {
        String before = "a line of some length\n".repeat(20_000);
        String after = before.substring(0, 200_010) + "changed" + before.substring(200_010);
        assertTrue(TextPatch.between(before, after).length() < 150);
    }

    @Test
    void comparesUnrelatedTextsInTime() throws PatchFailedException {
        String before = IntStream.range(0, 100_000).mapToObj(i -> "a" + i).collect(Collectors.joining("\n"));
        String after = IntStream.range(0, 100_000).mapToObj(i -> "b" + i).collect(Collectors.joining("\n"));
        String patch = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> TextPatch.between(before, after));
        assertEquals(after, TextPatch.apply(before, List.of(patch)));
    }

    @Test
    void comparesLongLinesWithCommonPrefixesInTime() throws PatchFailedException {
        String prefix = "x".repeat(800);
        String before = IntStream.range(0, 5_000).mapToObj(i -> prefix + i).collect(Collectors.joining("\n"));
        String after = IntStream.range(5_000, 10_000).mapToObj(i -> prefix + i).collect(Collectors.joining("\n"));
        String patch = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> TextPatch.between(before, after));
        assertEquals(after, TextPatch.apply(before, List.of(patch)));
    }

    @Test
    void showsContextAndMissingLineFeeds() {
        // Then
        assertEquals("""
                --- a
                +++ b
                @@ -1,2 +1,2 @@
                 one
                -two
                +2
                \\ No newline at end of file
                """, TextPatch.displayDiff("a", "one\ntwo\n", "b", "one\n2"));
        assertEquals("", TextPatch.displayDiff("a", "x\n", "b", "x\n"));
        assertTrue(TextPatch.displayDiff("a", "", "b", "x\n").contains("+x\n"));
    }
}
