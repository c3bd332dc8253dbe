package dev.parley.platform.personal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PipeTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void transfersBytesUnchanged() throws Exception {
        // Given
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        var pipe = new Pipe(LONG, LONG);

        // When
        var writer = CompletableFuture.runAsync(() -> {
            try (var out = pipe.out()) {
                out.write(bytes[0]);
                for (int offset = 1; offset < bytes.length; offset += 1_000) {
                    out.write(bytes, offset, Math.min(1_000, bytes.length - offset));
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        byte[] read;
        try (InputStream in = pipe.in()) {
            read = in.readAllBytes();
            assertEquals(-1, in.read());
        }

        // Then
        writer.get();
        assertArrayEquals(bytes, read);
    }

    @Test
    void failedPipeThrowsInsteadOfEnding() throws IOException {
        var pipe = new Pipe(LONG, LONG);
        try (InputStream in = pipe.in()) {
            pipe.out().write(1);
            assertEquals(1, in.read());
            pipe.out().write(2);
            pipe.fail(new IOException("broken"));

            assertThrows(IOException.class, pipe.out()::close);
            assertThrows(IOException.class, in::readAllBytes);
        }
    }

    @Test
    void failsWithoutAReaderOrWriter() throws IOException {
        var slow = new Pipe(Duration.ofMillis(50), LONG);
        assertThrows(IOException.class, () -> fill(slow));
        var expired = new Pipe(LONG, Duration.ZERO);
        assertThrows(IOException.class, () -> fill(expired));
        var abandoned = new Pipe(LONG, LONG);
        abandoned.in().close();
        assertThrows(IOException.class, () -> fill(abandoned));
        try (InputStream in = new Pipe(Duration.ofMillis(50), LONG).in()) {
            assertThrows(IOException.class, in::read);
        }
    }

    private static void fill(Pipe pipe) throws IOException {
        for (int i = 0; i < 100; i++) {
            pipe.out().write(i);
        }
    }

    @Test
    void fileNamesAreUniqueAndSafe() {
        // Given
        var texts = Stream.of(
                "web:1",
                "web_1",
                "Web_1",
                "web/1",
                "..",
                "",
                " ",
                "../../etc",
                "a.b",
                "x".repeat(500),
                "x".repeat(501));

        // When
        var names = texts.map(PersonalArchive::fileName).collect(Collectors.toSet());

        // Then
        assertEquals(11, names.size());
        assertTrue(names.stream().allMatch(name -> name.matches("[a-z0-9_~-]{1,133}")), names.toString());
        assertEquals("default", PersonalArchive.fileName("default"));
    }
}
