package dev.parley.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class EvalRecallTest {
    private static final String SAMPLE = """
            {"type":"turn","bank":"b","id":"1","session":"s","speaker":"user","time":"2030-01-01","text":"My cat is called Mia."}
            {"type":"turn","bank":"b","id":"2","session":"s","speaker":"assistant","time":null,"text":"A fine name. Cats like names."}
            {"type":"turn","bank":"b","id":"3","session":"t","speaker":"Ann","time":"2030-01-02T10:00:00Z","text":"I sold the boat."}
            {"type":"query","bank":"b","id":"q1","text":"What is my cat called?","category":"names","gold":["1"]}
            {"type":"query","bank":"b","id":"q2","text":"Who sold a boat, and which cat is there?","category":"both","gold":["1","3"]}
            """;

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("sample.jsonl"), text);
    }

    private static String run(String... arguments) {
        var out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            assertEquals(0, new CommandLine(new EvalCommand()).execute(arguments));
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsRecallByCategoryAndArm() throws IOException {
        // When
        String printed = run("recall", file(SAMPLE).toString(), "--k", "1,3", "--ablate", "--cache", folder.toString());

        // Then
        assertTrue(printed.contains("1 banks, 3 turns, 2 queries"), printed);
        assertTrue(printed.contains("SHA-256 "), printed);
        assertTrue(printed.matches("(?s).*\\nrecall +0\\.750 +1\\.000\\n.*"), printed);
        assertTrue(printed.matches("(?s).*\\n  names +1\\.000 +1\\.000\\n.*"), printed);
        assertTrue(printed.matches("(?s).*\\n  both +0\\.500 +1\\.000\\n.*"), printed);
        assertTrue(printed.contains("without semantic"), printed);
        assertTrue(printed.contains("facts and observations alone"), printed);
        assertTrue(printed.matches("(?s).*b: [1-9] units\\n.*"), printed);
        long texts = Files.size(folder.resolve("all-minilm-l6-v2-q.vectors")) / (32 + 4 * 384);
        assertTrue(texts > 5, "passages, questions and facts: " + texts);
    }

    @Test
    void evaluatesACompressedFileWithoutVectors() throws IOException {
        Path packed = folder.resolve("sample.jsonl.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(SAMPLE.getBytes(StandardCharsets.UTF_8));
        }
        String printed = run("recall", packed.toString(), "--no-vectors");
        assertTrue(printed.contains("vectors none"), printed);
        assertTrue(printed.contains("plain BM25 over turns"), printed);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void closesAFileThatIsNotCompressed() throws IOException {
        // Given
        Path plain = Files.writeString(folder.resolve("plain.jsonl.gz"), SAMPLE);

        // When
        assertThrows(ZipException.class, () -> EvalConversation.read(plain));

        // Then
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertFalse(descriptors.anyMatch(descriptor -> isOf(plain, descriptor)));
        }
    }

    private static boolean isOf(Path file, Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (IOException e) {
            return false; // another thread has closed it
        }
    }

    @Test
    void reportsAnInvalidLineByNumber() throws IOException {
        for (String wrong : List.of(
                "nothing",
                "{\"type\":\"other\",\"bank\":\"b\"}",
                "{\"type\":\"query\",\"bank\":\"b\",\"id\":\"1\",\"text\":\"t\",\"category\":\"c\",\"gold\":[]}",
                "{\"type\":\"turn\",\"bank\":\"b\"}")) {
            Path file = file("\n" + wrong + "\n");
            var refused = assertThrows(IllegalArgumentException.class, () -> EvalConversation.read(file));
            assertTrue(refused.getMessage().contains("sample.jsonl line 2"), refused.getMessage());
        }
    }

    @Test
    void reportsUnreadableFilesInOneMessage() throws IOException {
        String turn =
                "{\"type\":\"turn\",\"bank\":\"b\",\"id\":\"1\",\"session\":\"s\",\"speaker\":\"u\",\"time\":\"%s\",\"text\":\"t\"}";

        assertTrue(refused(file(turn.formatted("yesterday")).toString()).startsWith(folder + "/sample.jsonl line 1: "));
        assertTrue(refused("nowhere.jsonl").startsWith("the file nowhere.jsonl does not exist"));
    }

    private static String refused(String file) {
        var err = new StringWriter();
        assertEquals(
                2,
                new CommandLine(new EvalCommand()).setErr(new PrintWriter(err)).execute("recall", file));
        return err.toString();
    }

    @Test
    void aTimeWithoutAZoneIsInUtc() throws IOException {
        // Given
        Instant ten = Instant.parse("2030-01-02T10:00:00Z");

        // Then
        for (String time : List.of(
                "2030-01-02T10:00:00Z",
                "2030-01-02T10:00:00",
                "2030-01-02 10:00",
                "2030-01-02T10:00:00.000Z",
                "2030-01-02T12:00:00+02:00")) {
            Path file = file(SAMPLE.replace("2030-01-02T10:00:00Z", time));
            assertEquals(
                    ten,
                    EvalConversation.read(file).getFirst().messages().get(2).time(),
                    time);
        }
    }

    @Test
    void aTurnThatIsFoundTwiceCountsOnce() {
        var shares = new EvidenceRecall(List.of(1, 2));
        shares.add(new EvalConversation.Query("q", "?", "c", Set.of("1", "2")), List.of("1", "1", "2", "3"));
        shares.add(new EvalConversation.Query("r", "?", "d", Set.of("1")), List.of());
        assertEquals(List.of(0.25, 0.5), shares.of(_ -> true));
        assertEquals(List.of(0.5, 1.0), shares.of(query -> query.category().equals("c")));
    }
}
