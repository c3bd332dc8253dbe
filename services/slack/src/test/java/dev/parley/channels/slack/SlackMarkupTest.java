package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.markup.Markup;
import dev.parley.channels.chat.markup.MessageChunk;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlackMarkupTest {
    private static final SlackMarkup SLACK = new SlackMarkup();

    private static String markup(String markdown) {
        List<MessageChunk> chunks = Markup.chunks(markdown.replace("\\n", "\n"), SLACK);
        return chunks.stream()
                .map(chunk ->
                        assertInstanceOf(MessageChunk.Message.class, chunk).markup())
                .collect(Collectors.joining("\n=\n"))
                .replace("\u200B", "~~")
                .replace("\n", "\\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            plain                             | plain
            **bold** and *italic*             | *bold* and _italic_
            ~~gone~~                          | ~gone~
            `a * b`                           | `a * b`
            # Title                           | *Title*
            [the page](https://x.org/a?b=1&c) | <https://x.org/a?b=1&amp;c¦the page>
            see https://x.org/a_b.            | see <https://x.org/a_b>.
            1 < 2 & 3 > 2                     | 1 &lt; 2 &amp; 3 &gt; 2
            <@U7> <!channel> @here            | &lt;@U7&gt; &lt;!channel&gt; @here
            https://x.org/api/_v1_/a_b_c and on | <https://x.org/api/_v1_/a_b_c> and on
            (www.x.org/__init__.py).          | (<http://www.x.org/__init__.py¦www.x.org/__init__.py>).
            **粗体**文字                      | *粗体*~~文字
            这是**粗体**和*斜体*字            | 这是~~*粗体*~~和~~_斜体_~~字
            un**believ**able                  | un~~*believ*~~able
            5 \\* 3 snake_case                | 5 *~~ 3 snake_~~case
            - one\\n- two                     | • one\\n• two
            > said\\n> twice                  | > said\\n> twice
            """)
    void markdownBecomesMrkdwn(String markdown, String mrkdwn) {
        assertEquals(mrkdwn.replace('¦', '|'), markup(markdown));
    }

    @Test
    void rendersCodeAndTablesAsCodeBlocks() {
        assertEquals("```\\na*b*c &lt;x&gt;\\n```", markup("```java\na*b*c <x>\n```"));
        assertEquals("```\\na | b\\n--|--\\n1 | 2\\n```", markup("| a | b |\n|---|---|\n| 1 | 2 |"));
    }

    @Test
    void fenceInsideCodeDoesNotEndTheBlock() {
        String text = Markup.chunks("````\n```\n<!channel>\n````", SLACK).stream()
                .map(chunk -> ((MessageChunk.Message) chunk).markup())
                .collect(Collectors.joining());

        assertEquals(2, text.split("```", -1).length - 1, text);
        assertFalse(text.contains("<!"), text);
    }

    @Test
    @Tag("P48")
    void splitsALongTextIntoSectionsOfSlacksLimit() {
        // Given
        String paragraphs = IntStream.range(0, 400)
                .mapToObj(i -> "Paragraph %d & <more> *words* of_its own.".formatted(i))
                .collect(Collectors.joining("\n\n"));

        // When
        List<MessageChunk> chunks = Markup.chunks(paragraphs, SLACK);

        // Then
        assertTrue(chunks.size() > 3);
        chunks.forEach(chunk -> {
            String text = assertInstanceOf(MessageChunk.Message.class, chunk).markup();
            assertTrue(text.length() <= 3_000, () -> "a section of " + text.length());
        });
        Markup.draft(paragraphs, SLACK)
                .ifPresent(draft -> assertTrue(draft.markup().length() <= 3_000));
    }

    /** Text of a model cannot mention users or channels. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!channel>",
                "`<!here>`",
                "[<!everyone>](https://x.org)",
                "[x](https://x.org/<!channel>)",
                "https://x.org/<!channel>",
                "[x](<https://x.org/|<!channel>>)",
                "| <!channel> |\n|---|\n| <@U7> |",
                "```\n<!channel>\n```",
                "<subteam^S1>",
                "a\n<!channel>"
            })
    void escapesMentions(String markdown) {
        for (MessageChunk chunk : Markup.chunks(markdown, SLACK)) {
            String text = assertInstanceOf(MessageChunk.Message.class, chunk).markup();
            assertFalse(text.matches("(?s).*<(?!https://)[^>]*>.*"), text);
            assertFalse(text.contains("<!") || text.contains("<@"), text);
        }
    }
}
