package dev.parley.channels.chat.markup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownSectionTest {
    private static final String TABLE = "| a | b |\n|---|---|\n| 1 | 2 |";

    private static MarkdownSection text(String markdown) {
        return new MarkdownSection(markdown, false);
    }

    private static MarkdownSection table(String markdown) {
        return new MarkdownSection(markdown, true);
    }

    @Test
    void dividesATextAtItsTables() {
        assertEquals(
                List.of(text("one\n"), table(TABLE), text("\ntwo\n"), table(TABLE)),
                MarkdownSection.of("one\r\n\r\n" + TABLE + "\n\ntwo\n\n" + TABLE));
    }

    @Test
    void eachPartHasTheLinkDefinitions() {
        String definition = "[x]: https://example.org";

        assertEquals(
                List.of(
                        text("see [x]\n\n\n" + definition),
                        table(TABLE + "\n\n" + definition),
                        text("\n" + definition + "\n\n" + definition)),
                MarkdownSection.of("see [x]\n\n" + TABLE + "\n\n" + definition));
    }

    @Test
    void tablesInListsQuotesAndCodeStayInTheText() {
        String nested = "> " + TABLE.replace("\n", "\n> ") + "\n\n- item\n\n  " + TABLE.replace("\n", "\n  ");
        String code = "```\n" + TABLE + "\n```";

        assertEquals(List.of(text(nested)), MarkdownSection.of(nested));
        assertEquals(List.of(text(code)), MarkdownSection.of(code));
    }
}
