package dev.parley.language.time;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile texts are read in time that grows with their length, and each expression found is within the text. */
class HostileTextTest {
    private static final Instant REFERENCE = Instant.parse("2024-02-29T23:59:59Z");
    private static final List<Instant> REFERENCES = List.of(
            REFERENCE,
            Instant.parse("0200-01-01T00:00:00Z"),
            Instant.parse("9000-01-01T00:00:00Z"),
            Instant.parse("2025-11-02T05:30:00Z"));
    private static final ZoneId ZONE = ZoneId.of("America/St_Johns");
    private static final int LONG = 100_000;

    @Test
    void wordsOfTheCorpusInAnyOrderNeverFail() throws IOException {
        // Given
        List<String> words = words();
        var random = new Random(20260105);

        // When
        int found = 0;
        for (int i = 0; i < 8_000; i++) {
            var text = new StringBuilder();
            int start = random.nextInt(words.size() - 100); // of one language, mostly
            for (int n = random.nextInt(1, 14); n > 0; n--) {
                text.append(words.get(start + random.nextInt(100))).append(random.nextInt(9) == 0 ? "" : " ");
            }
            found += read(text.toString(), REFERENCES.get(i % REFERENCES.size()));
        }

        // Then
        assertTrue(found > 2_000, "the words make expressions: " + found);
    }

    @Test
    void anyCharactersNeverFail() {
        var random = new Random(20260106);
        String alphabet = "0123456789 .,:;-–/'’`()[]{}\n\tTZabeimnrsyáéß年\u0301\uD83D\uDE00\uD800\0";
        for (int i = 0; i < 8_000; i++) {
            var text = new StringBuilder();
            for (int n = random.nextInt(60); n > 0; n--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            read(text.toString(), REFERENCE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "in the last ",
                "from Monday to ",
                "May ",
                "3 to 5 ",
                "since ",
                "half a ",
                "the first week of ",
                "early ",
                "the day before ",
                "2 days before ",
                "last ",
                "on the ",
                "every ",
                "a couple of ",
                "(",
                "`",
                "'",
                "``` ",
                "1-",
                "9",
                "x",
                "2025-03-03 ",
                "2025-",
                "il y a ",
                "del 3 al ",
                "vor ",
                "hier ",
                "a",
                "Monday (",
                ", ",
                "é",
                "between May and ",
                "twenty-",
                "mid-",
                "\n",
                "morning of ",
                "week of ",
                "year 2019 "
            })
    void readsALongTextInTime(String piece) {
        String text = piece.repeat(LONG / piece.length());

        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> read(text, REFERENCE));
    }

    /** Ten times as long: a quadratic algorithm would exceed the timeout. */
    @ParameterizedTest
    @ValueSource(strings = {"in the last ", "(", "`", "Monday (", "x"})
    void readsATenTimesLongerTextInTime(String piece) {
        String text = piece.repeat(10 * LONG / piece.length());

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> read(text, REFERENCE));
    }

    /** How many expressions were found. */
    private static int read(String text, Instant reference) {
        List<FoundTime> found = TimeExpressions.in(text, reference, ZONE);
        TimeExpressions.window(text, reference, ZONE);
        int end = 0;
        for (FoundTime expression : found) {
            assertTrue(
                    expression.from() >= end && expression.to() > expression.from() && expression.to() <= text.length(),
                    () -> expression + " in " + text);
            end = expression.to();
        }
        return found.size();
    }

    private static List<String> words() throws IOException {
        var words = new ArrayList<String>();
        try (var file = HostileTextTest.class.getResourceAsStream("time-expressions.tsv")) {
            String corpus = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            corpus.lines().filter(line -> !line.startsWith("# ")).forEach(line -> {
                String text = line.split("\t")[1].replace("[", "").replace("]", "");
                words.addAll(List.of(text.split(" ")));
            });
        }
        return words;
    }
}
