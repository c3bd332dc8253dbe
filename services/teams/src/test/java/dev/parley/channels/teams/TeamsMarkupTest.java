package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("B214")
class TeamsMarkupTest {
    private static String markup(String markdown) {
        return MarkupPieces.of(markdown.replace("\\n", "\n"), new TeamsMarkup()).stream()
                .map(piece -> ((Piece.Words) piece).markup().replace("\n", "\\n"))
                .collect(Collectors.joining("|"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "**bold** and *it*|           **bold** and *it*",
                "[a](https://x.org/b_(c))|    [a](https://x.org/b_%28c%29)",
                "~~no~~|                      ~~no~~",
                "`a_b*`|                      `a_b*`",
                "snake_case|                  snake_case",
                "2 \\* 3|                     2 \\* 3",
                "a <at>Ann</at> & co|         a &lt;at&gt;Ann&lt;/at&gt; &amp; co",
                "one\\ntwo|                   one\\n\\ntwo"
            })
    void writesMarkdownInWhichNothingIsATag(String markdown, String expected) {
        assertEquals(expected, markup(markdown));
    }

    @Test
    void codeKeepsItsLines() {
        assertEquals("```\\na\\nb <c>\\n```", markup("```java\\na\\nb <c>\\n```"));
    }

    @Test
    void staysWithinTheSizeOfAMessage() {
        String text = IntStream.range(0, 3_000)
                .mapToObj(i -> "Words <" + i + "> & more.")
                .collect(Collectors.joining(" "));

        List<Piece> pieces = MarkupPieces.of(text, new TeamsMarkup());

        assertTrue(pieces.size() > 3);
        for (Piece piece : pieces) {
            var words = (Piece.Words) piece;
            String activity = Cards.message(words, words.markup(), null, "c").toString();
            assertTrue(activity.getBytes(StandardCharsets.UTF_16LE).length <= 28_000, () -> activity.length() + "");
        }
    }

    @Test
    void aLongCodeFileIsShownAsMessages() throws Exception {
        String text = "line of code\n".repeat(2_000);
        var file = new Piece.Document(
                "reply.md", "text/markdown", text.getBytes(StandardCharsets.UTF_8), Piece.Words.plain(""));

        List<Piece> shown = TextFiles.shown(file);

        assertEquals(4, shown.size());
        assertEquals(
                text.replace("\n", ""),
                shown.stream()
                        .map(piece -> ((Piece.Words) piece).plain().replace("\n", ""))
                        .collect(Collectors.joining()));
        assertTrue(
                shown.stream().allMatch(piece -> ((Piece.Words) piece).markup().startsWith("```\nline")));
    }

    @Test
    @Tag("B212")
    void fewChoicesAreButtonsAndManyAreAList() {
        var buttons = new Buttons("teams", () -> "s3cret-of-tests");
        List<Choice> choices = IntStream.range(0, 7)
                .mapToObj(i -> new Choice("Choice " + i, "model", "m" + i))
                .toList();

        var few = Cards.message(Piece.Words.plain("?").with(choices.subList(0, 6)), "", buttons, "c")
                .at("/attachments/0/content");
        var many = Cards.message(Piece.Words.plain("?").with(choices), "", buttons, "c")
                .at("/attachments/0/content");

        assertEquals(6, few.path("actions").size());
        assertEquals("Action.Execute", few.at("/actions/0/type").asText());
        assertEquals(few.at("/actions/0/data"), few.at("/actions/0/fallback/data"));
        assertEquals(
                "m0",
                buttons.read("c", few.at("/actions/0/data/choice").asText())
                        .orElseThrow()
                        .value());
        assertEquals(1, many.path("actions").size());
        assertEquals(7, many.at("/body/0/choices").size());
        assertEquals("choice", many.at("/body/0/id").asText());
        assertEquals(
                "m6",
                buttons.read("c", many.at("/body/0/choices/6/value").asText())
                        .orElseThrow()
                        .value());
    }
}
