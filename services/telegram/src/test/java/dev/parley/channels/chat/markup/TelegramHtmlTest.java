package dev.parley.channels.chat.markup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parser of Telegram's HTML used by other tests rejects what Telegram rejects or repairs. */
class TelegramHtmlTest {
    private static final String PREFIX = "Bad Request: can't parse entities: ";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "é<b~Unclosed start tag at byte offset 2",
                "<b x~Unclosed start tag \"b\" at byte offset 0",
                "a <3 b>~Unsupported start tag \"3\" at byte offset 2",
                "<br/>~Unsupported start tag \"br/\" at byte offset 0",
                "<a =x>y</a>~Empty attribute name in the tag \"a\" at byte offset 0",
                "<a href=https://x.org>y</a>~Unexpected end of name token at byte offset 0",
                "<span>x</span>~Tag \"span\" must have class \"tg-spoiler\" at byte offset 0",
                "x</b>~Unexpected end tag at byte offset 1",
                "<b>x</b~Unclosed end tag at byte offset 4",
                "<b><i>x</b>~Unmatched end tag at byte offset 7, expected \"</i>\", found \"</b>\"",
                "<b>x~Can't find end tag corresponding to start tag \"b\"",
            })
    void reportsTheErrorsOfTelegram(String html, String error) {
        var e = assertThrows(IllegalArgumentException.class, () -> TelegramHtml.parse(html));

        assertEquals(PREFIX + error, e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "<b><code>x</code></b>",
        "<code>a<i>x</i></code>",
        "<blockquote>a<blockquote>x</blockquote></blockquote>",
        "<a href='https://x.org'>a<a href='https://y.org'>x</a></a>",
        "<a href='https://x.org'>a<code>x</code></a>",
        "<a href='tg://user?id=1'>x</a>",
        "<a href='docs'>x</a>",
        "<pre><code>x</code></pre>",
        "<pre><code class='language-a'>x</code>y</pre>",
        "<b></b>x",
        "a\tb",
        "' a'",
        "<b>a </b>",
        "&#xD800;",
        "\u200B",
    })
    void rejectsMarkupThatTelegramWouldRepair(String html) {
        assertThrows(IllegalArgumentException.class, () -> TelegramHtml.parse(html));
    }

    @Test
    void parsesTextAndEntities() {
        var parsed = TelegramHtml.parse(
                "<b>a <i>b</i></b> &lt;&#38;&copy; <blockquote expandable>q <pre>p</pre></blockquote>"
                        + "<pre><code class=\"language-c++\">x</code></pre><a href=\"https://x.org?a&amp;b\">l</a>");

        assertEquals("a b <&&copy; q pxl", parsed.text());
        assertEquals(
                List.of("i:b", "b:a b", "pre:p", "blockquote=expandable:q p", "pre=c++:x", "a=https://x.org?a&b:l"),
                parsed.marks());
    }
}
