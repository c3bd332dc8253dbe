package dev.parley.domain.memory.extract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Boundaries of chunks, and the difference between two versions of a text. */
class ChunksTest {
    private static List<String> hashes(List<TextChunk> chunks) {
        return chunks.stream().map(TextChunk::sha256).toList();
    }

    /** Paragraphs whose sentences have no repeated words. */
    private static String prose(int paragraphs, Random random) {
        var text = new StringBuilder();
        for (int p = 0; p < paragraphs; p++) {
            for (int s = 0; s < 4 + random.nextInt(8); s++) {
                text.append("Sentence ")
                        .append(s)
                        .append(" of paragraph ")
                        .append(p)
                        .append(" says ");
                text.append(Long.toString(random.nextLong(1L << 40), 36)).append(". ");
            }
            text.append("\n\n");
        }
        return text.toString();
    }

    @Test
    void aShortTextIsOneChunkAndABlankOneNone() {
        // When
        List<TextChunk> chunks = Chunks.of(" \n I live in Oslo.\n");

        // Then
        assertEquals(1, chunks.size());
        assertEquals("I live in Oslo.", chunks.getFirst().text());
        assertEquals(3, chunks.getFirst().from());
        assertEquals(18, chunks.getFirst().to());
        assertEquals(
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                Chunks.of("test").getFirst().sha256());
        assertEquals(List.of(), Chunks.of(" \n\t "));
        assertEquals(List.of(), Chunks.of(""));
    }

    @Test
    void paragraphsStayWhole() {
        List<TextChunk> chunks = Chunks.of(prose(40, new Random(1)));

        assertTrue(chunks.size() > 1);
        for (TextChunk chunk : chunks) {
            assertTrue(chunk.text().startsWith("Sentence 0 "), chunk.text());
            assertTrue(chunk.text().endsWith("."), chunk.text());
        }
    }

    @Test
    void sentencesStayWholeWhereAParagraphIsTooLong() {
        List<TextChunk> chunks = Chunks.of(prose(40, new Random(2)).replace("\n\n", ""));

        assertTrue(chunks.size() > 1);
        for (TextChunk chunk : chunks) {
            assertTrue(chunk.text().startsWith("Sentence "), chunk.text());
            assertTrue(chunk.text().endsWith("."), chunk.text());
        }
    }

    @Test
    void anInsertionChangesTheChunksAroundIt() {
        String text = prose(200, new Random(3));
        List<TextChunk> before = Chunks.of(text);
        TextDelta delta = TextDelta.between(
                hashes(before), Chunks.of("A new paragraph, before all others, moves everything.\n\n" + text));

        assertTrue(before.size() > 20, "chunks: " + before.size());
        assertTrue(delta.added().size() < before.size() / 4, delta.added().size() + " of " + before.size());
        assertEquals(before.size() - delta.unchanged().size(), delta.removed().size());
    }

    @Test
    void appendedTextChangesTheLastChunk() {
        String text = prose(30, new Random(4));
        List<TextChunk> before = Chunks.of(text);
        TextDelta delta = TextDelta.between(hashes(before), Chunks.of(text + "One more sentence."));

        assertTrue(delta.added().size() <= 2);
        assertEquals(Set.of(before.getLast().sha256()), delta.removed());
    }

    @Test
    @Tag("M5")
    void theSameTextTwiceChangesNothing() {
        List<TextChunk> chunks = Chunks.of(prose(50, new Random(5)));

        TextDelta delta = TextDelta.between(hashes(chunks), chunks);

        assertTrue(delta.isEmpty());
        assertEquals(chunks, delta.unchanged());
    }

    @Test
    @Tag("M5")
    void anotherTextReplacesTheOldOne() {
        List<TextChunk> before = Chunks.of("I live in Oslo.");
        List<TextChunk> after = Chunks.of("I live in Bergen.");

        TextDelta delta = TextDelta.between(hashes(before), after);

        assertEquals(List.of(), delta.unchanged());
        assertEquals(after, delta.added());
        assertEquals(Set.copyOf(hashes(before)), delta.removed());
        assertFalse(delta.isEmpty());
    }

    @Test
    @Tag("M6")
    void emptyTextRemovesAllChunks() {
        List<TextChunk> before = Chunks.of(prose(20, new Random(6)));

        assertEquals(
                Set.copyOf(hashes(before)),
                TextDelta.between(hashes(before), Chunks.of("")).removed());
    }

    @Test
    void deltaContainsARepeatedChunkOnce() {
        String text = "word ".repeat(Chunks.MAX_LENGTH / 5).strip();
        List<TextChunk> chunks = List.of(
                Chunks.of(text).getFirst(),
                Chunks.of(text).getFirst(),
                Chunks.of("other").getFirst());

        assertEquals(2, TextDelta.between(List.of(), chunks).added().size());
    }

    /** Random texts: only blanks are lost, no chunk is too long or splits a surrogate pair, and each is stable. */
    @RepeatedTest(60)
    void chunksOfRandomTextsAreCompleteAndBounded(RepetitionInfo repetition) {
        // Given
        var random = new Random(repetition.getCurrentRepetition());
        String[] pieces = {
            "word", " ", "\n", "\n\n", ". ", "!", "\r\n", "\uD83D\uDE00", "\uD83D", "é", "\u2028", "\t", "0"
        };
        var text = new StringBuilder();
        int pieceCount = 1 + random.nextInt(pieces.length);
        for (int i = random.nextInt(12_000); i > 0; i--) {
            text.append(pieces[random.nextInt(pieceCount)]);
        }

        // When
        List<TextChunk> chunks = Chunks.of(text.toString());

        // Then
        int position = 0;
        for (TextChunk chunk : chunks) {
            assertTrue(text.substring(position, chunk.from()).isBlank());
            assertEquals(text.substring(chunk.from(), chunk.to()), chunk.text());
            assertTrue(chunk.text().length() <= Chunks.MAX_LENGTH);
            boolean apart = chunk.to() < text.length()
                    && Character.isSurrogatePair(text.charAt(chunk.to() - 1), text.charAt(chunk.to()));
            assertFalse(apart, "a pair of surrogates was cut apart");
            assertEquals(List.of(chunk.sha256()), hashes(Chunks.of(chunk.text())));
            position = chunk.to();
        }
        assertTrue(text.substring(position).isBlank());
        assertEquals(
                IntStream.range(0, chunks.size()).boxed().toList(),
                chunks.stream().map(TextChunk::index).toList());
    }

    @Test
    void splitsAMillionCharactersIntoABoundedNumberOfChunks() {
        for (String text :
                List.of("x".repeat(1 << 20), "!".repeat(1 << 20), "\n".repeat(1 << 20) + "x", "a. ".repeat(1 << 19))) {
            List<TextChunk> chunks = Chunks.of(text);

            assertTrue(chunks.size() <= 1 + 2 * text.length() / Chunks.MAX_LENGTH * 2);
            assertTrue(chunks.getLast().to() <= text.length());
        }
    }
}
