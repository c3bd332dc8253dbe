package dev.parley.platform.testkit.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FakeTelegramHtmlTest {
    private static String read(String html) {
        FormattedText text = TelegramHtml.parse(html).fixed();
        var out = new StringBuilder(text.text());
        for (Entity e : text.entities()) {
            out.append(" | ")
                    .append(e.type())
                    .append(' ')
                    .append(text.text(), e.offset(), e.end())
                    .append(e.argument().isEmpty() ? "" : " " + e.argument());
        }
        return out.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "é<p>x</p>~Unsupported start tag \"p\" at byte offset 2",
                "a < b~Unsupported start tag \"\" at byte offset 2",
                "<br/>~Unsupported start tag \"br/\" at byte offset 0",
                "<b~Unclosed start tag at byte offset 0",
                "<a href~Unclosed start tag \"a\" at byte offset 0",
                "<a href=\"x~Unclosed start tag \"a\" at byte offset 0",
                "<a href=http://x>y</a>~Unexpected end of name token at byte offset 8",
                "<a =\"x\">y</a>~Empty attribute name in the tag \"a\" at byte offset 0",
                "<span>x</span>~Tag \"span\" must have class \"tg-spoiler\" at byte offset 0",
                "x</b>~Unexpected end tag at byte offset 1",
                "<b>x</b~Unclosed end tag at byte offset 4",
                "<b>x</i>~`Unmatched end tag at byte offset 4, expected \"</b>\", found \"</i>\"`",
                "<b><i>x</i>~Can't find end tag corresponding to start tag \"b\"",
                "<tg-emoji emoji-id=\"x\">y</tg-emoji>~Invalid custom emoji identifier specified",
            })
    void rejectsInvalidHtmlWithTelegramsError(String html, String error) {
        var refused = assertThrows(ApiError.class, () -> TelegramHtml.parse(html));
        assertEquals("Bad Request: can't parse entities: " + error, refused.description);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "<B>x</b> y~x y | bold x",
                "<b>x</>~x | bold x",
                "<b></b>x~x",
                "<b>a</b><strong>b</strong>~ab | bold ab",
                "<b>a <code>b</code></b>~a b | bold a  | code b",
                "<a href=\"https://a.example/?x=1&amp;y\">b</a>~b | text_link b https://a.example/?x=1&y",
                "<a href=\"/relative\">b</a>~b",
                "<a href='tg://user?id=5'>b</a>~b | text_mention b 5",
                "<pre><code class=\"language-java\">x</code></pre>~x | pre x java",
                "<pre>\\n<code class=\"language-java\">x</code></pre>~\\nx | pre \\nx",
                "<blockquote expandable>x</blockquote>~x | expandable_blockquote x",
                "`  x  `~x",
                "<pre>  x  </pre>~`  x | pre   x`",
                "see README.md and @someone~see README.md and @someone | url README.md | mention @someone",
                "<code>README.md</code>~README.md | code README.md",
            })
    void normalizesParsedHtml(String html, String expected) {
        assertEquals(
                expected.replace("\\n", "\n").strip(),
                read(html.replace("\\n", "\n")).strip());
    }

    @Test
    void referencesAreDecodedWithAndWithoutSemicolon() {
        assertEquals("<>&\"{\u001f".replace('\u001f', ' ').strip(), read("&lt;&gt&amp;&quot;&#123;&#x1F;"));
        assertEquals("&nbsp;&apos;&ltfoo&#0;", read("&nbsp;&apos;&ltfoo&#0;"));
    }

    @Test
    void removesInvisibleCharacters() {
        assertEquals("a bc\n| d", read("a\tb\u202ec\r\n| d"));
        assertEquals("xy | bold y", read("x\u2028<b>y</b>"));
    }
}
