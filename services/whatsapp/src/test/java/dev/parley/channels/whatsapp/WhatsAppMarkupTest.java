package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.Piece;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatsAppMarkupTest {
    private static List<String> written(String markdown) {
        return MarkupPieces.of(markdown, new WhatsAppMarkup()).stream()
                .map(piece -> ((Piece.Words) piece).markup())
                .toList();
    }

    /** The zero-width space is shown as a middle dot. */
    private static String one(String markdown) {
        List<String> written = written(markdown.replace("\\n", "\n"));
        assertEquals(1, written.size());
        return written.getFirst().replace('\u200B', '·').replace("\n", "\\n");
    }

    @ParameterizedTest
    @Tag("B204")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            **bold** and *italic* and ~~gone~~ | *bold* and _italic_ and ~gone~
            `a*b` x                            | `a*b` x
            # Title\\n\\ntext                  | *Title*\\n\\ntext
            [docs](https://x.example/a_b)      | docs (https://x.example/a_b)
            <https://x.example/a_b_>           | https://x.example/a_b_
            see https://x.example/a_b_c now    | see https://x.example/a_b_c now
            snake_case and a_b_c               | snake_case and a_b_c
            \\*not bold\\*                     | *·not bold*·
            > one\\n> two                      | > one\\n> two
            before**bold**after                | before·*bold*·after
            """)
    void writesWhatsAppsFormatting(String markdown, String expected) {
        assertEquals(expected, one(markdown));
    }

    @Test
    @Tag("B204")
    void keepsCodeAsItIs() {
        assertEquals("```\\na_b * c\\n```", one("```java\\na_b * c\\n```"));
    }

    @Test
    @Tag("B204")
    void splitsLongTextsWithinTheLimit() {
        String text = IntStream.range(0, 1_500)
                .mapToObj(i -> "*Paragraph* " + i + " has_a_mark_ and [a link](https://x.example/" + i + ").")
                .collect(Collectors.joining("\n\n"));

        List<Piece> pieces = MarkupPieces.of(text.substring(0, 60_000), new WhatsAppMarkup());

        assertTrue(pieces.size() > 10);
        for (Piece piece : pieces) {
            Piece.Words words = (Piece.Words) piece;
            assertTrue(
                    words.markup().length() <= 4_096,
                    () -> "size " + words.markup().length());
            assertTrue(words.plain().length() <= 4_096);
        }
    }
}
