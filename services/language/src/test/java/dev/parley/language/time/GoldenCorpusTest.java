package dev.parley.language.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every row of the corpus, as a text with facts and as a question. */
class GoldenCorpusTest {
    private static final List<Row> ROWS = rows();

    /** An expression in a text, which is between {@code from} and {@code to} of it; or a text without one. */
    private record Row(
            String text, Instant reference, Optional<TimeSpan> span, Optional<TimeSpan> window, int from, int to) {}

    @Test
    @Tag("M9")
    @Tag("M31")
    void findsEveryExpressionWithItsPositionAndSpan() {
        // Given
        List<Row> rows = ROWS.stream().filter(row -> row.span().isPresent()).toList();

        // When
        var wrong = new ArrayList<String>();
        for (Row row : rows) {
            List<FoundTime> found = TimeExpressions.in(row.text(), row.reference(), ZoneOffset.UTC);
            boolean right = found.size() == 1
                    && found.getFirst().span().equals(row.span().get())
                    && found.getFirst().from() == row.from()
                    && found.getFirst().to() == row.to();
            if (!right) {
                wrong.add(row.text() + " at " + row.reference() + ": "
                        + row.span().get() + ", but was " + found);
            }
        }

        // Then
        assertTrue(rows.size() >= 400, "rows with an expression: " + rows.size());
        assertEquals("", String.join("\n", wrong));
    }

    @Test
    @Tag("M9")
    @Tag("M31")
    void findsTheWindowOfEveryQuestion() {
        var wrong = new ArrayList<String>();
        for (Row row : ROWS) {
            Optional<TimeSpan> window = TimeExpressions.window(row.text(), row.reference(), ZoneOffset.UTC);
            if (row.span().isPresent() && !window.equals(row.window())) {
                wrong.add(row.text() + " at " + row.reference() + ": " + row.window() + ", but was " + window);
            }
        }
        assertEquals("", String.join("\n", wrong));
    }

    @Test
    @Tag("M31")
    void noTextWithoutATimeHasAWindow() {
        // Given
        List<Row> rows = ROWS.stream().filter(row -> row.span().isEmpty()).toList();

        // When
        var wrong = new ArrayList<String>();
        for (Row row : rows) {
            List<FoundTime> found = TimeExpressions.in(row.text(), row.reference(), ZoneOffset.UTC);
            Optional<TimeSpan> window = TimeExpressions.window(row.text(), row.reference(), ZoneOffset.UTC);
            if (!found.isEmpty() || window.isPresent()) {
                wrong.add(row.text() + ": " + found + " " + window);
            }
        }

        // Then
        assertTrue(rows.size() >= 150, "rows without an expression: " + rows.size());
        assertEquals("", String.join("\n", wrong));
    }

    private static List<Row> rows() {
        try (var file = GoldenCorpusTest.class.getResourceAsStream("time-expressions.tsv")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("# "))
                    .map(GoldenCorpusTest::row)
                    .toList();
        } catch (IOException broken) {
            throw new AssertionError("the corpus cannot be read", broken);
        }
    }

    private static Row row(String line) {
        String[] columns = line.split("\t");
        Instant reference = time(columns[0], Instant.EPOCH);
        if (columns.length == 2) {
            return new Row(columns[1], reference, Optional.empty(), Optional.empty(), 0, 0);
        }
        int from = columns[1].indexOf('[');
        int to = columns[1].indexOf(']') - 1;
        String text = columns[1].replace("[", "").replace("]", "");
        TimeSpan span = span(columns[2], reference);
        return new Row(
                text,
                reference,
                Optional.of(span),
                Optional.of(columns.length > 3 ? span(columns[3], reference) : span),
                from,
                to);
    }

    private static TimeSpan span(String text, Instant reference) {
        String[] bounds = text.split("/");
        Instant to =
                bounds[1].equals("now") ? reference : time(bounds[1], reference).minusMillis(1);
        return new TimeSpan(time(bounds[0], reference), to);
    }

    private static Instant time(String text, Instant reference) {
        if (text.equals("now")) {
            return reference;
        }
        LocalDateTime time = text.length() == 10 ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text);
        return time.toInstant(ZoneOffset.UTC);
    }
}
