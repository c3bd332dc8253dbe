package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.Piece;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlackPiecesTest {
    private static final String TABLE = "| pump | bar |\n|:--|--:|\n| A | 1 |\n| [B](https://b.example) | |\n";

    private static SlackMessageText only(String text) {
        List<Piece> pieces = SlackPieces.of(text);
        assertEquals(1, pieces.size(), pieces::toString);
        return SlackMessageText.of(assertInstanceOf(Piece.Words.class, pieces.getFirst()));
    }

    private static List<String> types(JsonNode form) {
        return StreamSupport.stream(form.spliterator(), false)
                .map(block -> block.path("type").asText())
                .toList();
    }

    @ParameterizedTest
    @Tag("B191")
    @ValueSource(strings = {"hello", "**bold** and `code`", "- a\n- b", "```java\nint i;\n```", "> quoted"})
    void whatMrkdwnCanSayIsASection(String text) {
        SlackMessageText message = only(text);

        assertEquals(1, message.forms().size());
        assertEquals(List.of("section"), types(message.forms().getFirst()));
        assertEquals(text, message.markdown());
    }

    @ParameterizedTest
    @Tag("B191")
    @ValueSource(strings = {"# Title\n\ntext", "- a\n  - b", "1. a\n   1. b"})
    void headingsAndNestedListsAreMarkdown(String text) {
        SlackMessageText message = only(text);

        assertEquals(List.of("markdown"), types(message.forms().getFirst()));
        assertEquals(text, message.forms().getFirst().path(0).path("text").asText());
        assertEquals(List.of("section"), types(message.forms().getLast()), "the fallback");
    }

    @Test
    @Tag("B191")
    void aTableIsABlockBetweenTexts() {
        JsonNode blocks =
                only("Pumps:\n\n" + TABLE + "\nThat is **all**.").forms().getFirst();

        assertEquals(List.of("markdown", "table", "markdown"), types(blocks));
        JsonNode table = blocks.path(1);
        assertEquals(
                "right", table.path("column_settings").path(1).path("align").asText());
        assertEquals(3, table.path("rows").size());
        assertEquals(
                "B (https://b.example)",
                table.path("rows").path(2).path(0).path("text").asText());
        assertEquals(" ", table.path("rows").path(2).path(1).path("text").asText(), "no cell is empty");
        assertEquals("That is **all**.", blocks.path(2).path("text").asText());
    }

    @Test
    @Tag("B191")
    void aLongTableIsShownByPages() {
        String rows = IntStream.range(0, 60)
                .mapToObj(i -> "| r" + i + " | " + i + " |\n")
                .collect(Collectors.joining());
        JsonNode table =
                only("| name | n |\n|--|--|\n" + rows).forms().getFirst().path(0);

        assertEquals("data_table", table.path("type").asText());
        assertEquals("name, n", table.path("caption").asText());
        assertEquals(61, table.path("rows").size());
    }

    @Test
    @Tag("B191")
    void aMessageHasOneTable() {
        List<Piece> pieces = SlackPieces.of(TABLE + "\nand\n\n" + TABLE);

        assertEquals(2, pieces.size());
        pieces.forEach(piece -> assertTrue(
                types(SlackMessageText.of((Piece.Words) piece).forms().getFirst())
                        .contains("table")));
    }

    @Test
    @Tag("B191")
    void aTableThatSlackCannotShowIsSentAsBefore() {
        String wide = "|" + "a|".repeat(21) + "\n|" + "-|".repeat(21) + "\n|" + "1|".repeat(21) + "\n";

        assertEquals(List.of("section"), types(only(wide).forms().getFirst()));
    }

    @Test
    @Tag("B191")
    void longTextIsSplitBetweenBlocksAndWhole() {
        String paragraph = "Word ".repeat(200).strip() + ".\n\n";
        String text = IntStream.range(0, 30).mapToObj(i -> i + " " + paragraph).collect(Collectors.joining());

        List<Piece> pieces = SlackPieces.of(text);

        assertEquals(3, pieces.size());
        String sources = pieces.stream()
                .map(piece -> SlackMessageText.of((Piece.Words) piece).markdown())
                .collect(Collectors.joining());
        assertEquals(text, sources);
        pieces.forEach(piece -> assertTrue(SlackMessageText.of((Piece.Words) piece)
                        .forms()
                        .getFirst()
                        .path(0)
                        .path("text")
                        .asText()
                        .length()
                <= SlackPieces.MAX_MARKDOWN));
    }

    @Test
    @Tag("B191")
    void onePartThatIsTooLongIsSentAsBefore() {
        List<Piece> pieces = SlackPieces.of("# Title\n\n" + "word ".repeat(4_000));

        assertTrue(pieces.size() > 4, pieces::toString);
        assertEquals(
                List.of("section"),
                types(SlackMessageText.of((Piece.Words) pieces.getLast())
                        .forms()
                        .getFirst()));
        assertInstanceOf(
                Piece.Document.class,
                SlackPieces.of("# a\n```\n" + "x\n".repeat(7_000) + "```").getLast());
    }

    @Test
    @Tag("B191")
    void markdownNotifiesNobody() {
        String shown = only("# Hi <!channel> <@U012AB3CD>\n\n`<!here>` <!-- no --> a<b")
                .forms()
                .getFirst()
                .toString();

        assertFalse(shown.contains("<!channel>") || shown.contains("<@U012") || shown.contains("<!here>"), shown);
        assertTrue(
                only("# x\n\n    <!DOCTYPE html>").forms().getFirst().toString().contains("<!DOCTYPE html>"));
    }

    @Test
    @Tag("B191")
    void htmlIsShownAsTextWithoutTags() {
        JsonNode blocks = only("# Title\n\none<br>two").forms().getFirst();

        assertEquals(List.of("markdown", "section"), types(blocks));
        assertEquals("one\ntwo", blocks.path(1).path("text").path("text").asText());
    }

    @Test
    void linksThatAreDefinedElsewhereAreKept() {
        assertEquals(
                List.of("section"),
                types(only("# A\n\n[b]\n\n[b]: https://b.example").forms().getFirst()));
    }
}
