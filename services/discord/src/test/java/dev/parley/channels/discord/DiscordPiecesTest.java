package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers with tables and choices, as components and as text. */
class DiscordPiecesTest {
    private static final String WIDE = """
            | city | what it is known for |
            |---|---|
            | Bern | bears, arcades and the longest covered shopping street |
            | Basel | the [carnival][1] |
            """;

    private final DiscordMessages messages = new DiscordMessages(new Buttons("discord", () -> "a-token"));

    private static List<Piece.Words> words(String markdown) {
        return DiscordPieces.of(markdown).stream()
                .filter(Piece.Words.class::isInstance)
                .map(Piece.Words.class::cast)
                .toList();
    }

    private JsonNode components(Piece.Words words) {
        return messages.components("@1", words).orElseThrow();
    }

    private String text(Piece.Words words) {
        return messages.words("@1", words).path("content").asText();
    }

    private static List<Integer> types(JsonNode components) {
        return components
                .valueStream()
                .map(component -> component.path("type").asInt())
                .toList();
    }

    @Test
    @Tag("B231")
    void wideTableIsABoxWithARowForEachItem() {
        // When
        Piece.Words answer = words("Before.\n\n" + WIDE + "\nAfter.\n\n[1]: https://example.org/carnival")
                .getFirst();

        // Then
        JsonNode parts = components(answer).path("components");
        assertEquals(List.of(10, 17, 10), types(parts));
        assertEquals(List.of(10, 14, 10), types(parts.path(1).path("components")));
        assertEquals(
                "**city**: Basel\n**what it is known for**: the [carnival](<https://example.org/carnival>)",
                parts.path(1).path("components").path(2).path("content").asText());
        assertEquals("After.", parts.path(2).path("content").asText());
        assertFalse(components(answer).has("content"));
    }

    @Test
    @Tag("B231")
    void narrowTableIsAlignedInItsBox() {
        Piece.Words answer = words("| a | b |\n|---|---|\n| 1 | 2 |").getFirst();

        JsonNode box = components(answer).path("components").path(0);

        assertEquals(17, box.path("type").asInt());
        assertEquals(
                "```\na | b\n--|--\n1 | 2\n```",
                box.path("components").path(0).path("content").asText());
    }

    @Test
    @Tag("B231")
    void answerWithoutTableAndChoicesIsAText() {
        Piece.Words answer = words("Some **bold** words | and a bar.").getFirst();

        assertFalse(DiscordMessages.hasComponents(answer));
        assertEquals("Some **bold** words \\| and a bar.", text(answer));
    }

    @Test
    @Tag("B231")
    void textFormHasTheSameWordsAndFits() {
        // Given
        String markdown = "Start.\n\n"
                + IntStream.range(0, 20)
                        .mapToObj(i -> WIDE + "\nText " + i + ".\n\n")
                        .collect(Collectors.joining())
                + "[1]: https://example.org/carnival";

        // When
        List<Piece.Words> answer = words(markdown);

        // Then
        assertTrue(answer.size() > 1);
        for (Piece.Words words : answer) {
            assertTrue(text(words).length() <= DiscordMarkup.MAX_LENGTH);
            assertFalse(text(words).chars().anyMatch(unit -> unit < ' ' && unit != '\n'), text(words));
            assertTrue(components(words).path("components").findValues("type").size() <= 40);
        }
        String all = answer.stream().map(this::text).collect(Collectors.joining("\n"));
        IntStream.range(0, 20).forEach(i -> assertTrue(all.contains("Text " + i + ".")));
        assertEquals(20, all.split("carnival\\]", -1).length - 1);
    }

    @Test
    @Tag("B231")
    void manyRowsAreNotDividedByLines() {
        // Given
        String rows =
                IntStream.range(0, 30).mapToObj(i -> "| " + i + " | x |\n").collect(Collectors.joining());
        String markdown = "| number | a rather long name of a column |\n|---|---|\n" + rows;
        var choices = IntStream.range(0, 25)
                .mapToObj(i -> new Choice("choice " + i, "model", "model-" + i))
                .toList();

        // When
        Piece.Words answer = words(markdown).getFirst().with(choices);

        // Then
        JsonNode parts = components(answer).path("components");
        assertEquals(List.of(17, 1, 1, 1, 1, 1), types(parts));
        assertEquals(1, parts.path(0).path("components").size());
    }

    @Test
    @Tag("B231")
    void textOfTooManyBytesIsNoMessageOfComponents() {
        Piece.Words long3 = new Piece.Words("語".repeat(3_400), "…");
        assertTrue("語".repeat(3_400).getBytes(StandardCharsets.UTF_8).length > 10_000);

        assertTrue(messages.components("@1", long3).isEmpty());
    }

    @Test
    void longTableStaysAFile() {
        String rows = IntStream.range(0, 400)
                .mapToObj(i -> "| item " + i + " | some text about it |\n")
                .collect(Collectors.joining());

        List<Piece> answer = DiscordPieces.of("Before.\n\n| a | b |\n|---|---|\n" + rows + "\nAfter.");

        assertEquals(3, answer.size());
        assertTrue(answer.get(1) instanceof Piece.Document table && table.name().equals("table.csv"));
    }

    @Test
    void answerThatIsAFileBeginsWithItsName() {
        List<Piece> answer = DiscordPieces.of("| a | b |\n|---|---|\n" + "| one | some text about it |\n".repeat(400));

        assertEquals(Piece.Words.plain("table.csv"), answer.getFirst());
        assertTrue(answer.get(1) instanceof Piece.Document);
    }
}
