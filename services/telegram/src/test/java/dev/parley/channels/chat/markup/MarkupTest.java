package dev.parley.channels.chat.markup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.telegram.TelegramMarkup;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rendering of each Markdown construct, and splitting of long replies. */
class MarkupTest {
    private static final MarkupDialect TELEGRAM = new TelegramMarkup();

    static Stream<Arguments> constructs() {
        return Stream.of(
                // emphasis
                row("**bold** and *it*", "<b>bold</b> and <i>it</i>"),
                row("***both***", "<i><b>both</b></i>"),
                row("~~gone~~ ~5 to ~10", "<s>gone</s> ~5 to ~10"),
                row("**a *b* c**", "<b>a <i>b</i> c</b>"),
                row("**a `b` c**", "<b>a </b><code>b</code><b> c</b>"),
                row("**a **b** c**", "<b>a b c</b>"),
                row("**open", "**open"),
                row("snake_case_name 2*3*4", "snake_case_name 2<i>3</i>4"),
                // what is no markup
                row("a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;"),
                row("<b>x</b> <script>y</script>", "&lt;b&gt;x&lt;/b&gt; &lt;script&gt;y&lt;/script&gt;"),
                row("one<br>two<BR />three", "one\ntwo\nthree"),
                row("<div>\nx\n</div>", "&lt;div&gt;\nx\n&lt;/div&gt;"),
                row("&lt;b&gt; &amp;lt; &nbsp;x", "&lt;b&gt; &amp;lt; \u00A0x"),
                // lines
                row("one\ntwo  \nthree\\\nfour", "one\ntwo\nthree\nfour"),
                row("one\n\n\n\ntwo", "one\n\ntwo"),
                row("one\n\n---\n\ntwo", "one\n\n———\n\ntwo"),
                // headings
                row("# One\ntext\n\n## Two `x`", "<b>One</b>\n\ntext\n\n<b>Two </b><code>x</code>"),
                row("Title **bold**\n===", "<b>Title bold</b>"),
                // lists
                row("- a\n- b\n  - c\n    - d\n      - e", "• a\n• b\n   ◦ c\n      ▪ d\n         ▪ e"),
                row("3. a\n4. b\n   - c", "3. a\n4. b\n   ◦ c"),
                row("- a\n\n- b\n\n  more", "• a\n\n• b\n\n   more"),
                row("- a\n  more", "• a\n   more"),
                row("- [ ] open\n- [x] **done**\n1. [X] both", "☐ open\n☑ <b>done</b>\n\n1. ☑ both"),
                row("- ```\n  x\n  ```", "• \n<pre>x</pre>"),
                // quotes
                row("> a\n> b\n\nc", "<blockquote>a\nb</blockquote>\n\nc"),
                row("> a\n> > b", "<blockquote>a\n\nb</blockquote>"),
                row("> **a** `b`", "<blockquote><b>a</b> <code>b</code></blockquote>"),
                row("> - a\n>   - b", "<blockquote>• a\n   ◦ b</blockquote>"),
                row("> ```js\n> x\n> ```", "<blockquote><pre><code class=\"language-js\">x</code></pre></blockquote>"),
                row("> 1\n".repeat(12), "<blockquote expandable>" + lines(12, "1") + "</blockquote>"),
                // code
                row("`a <b> **c**`", "<code>a &lt;b&gt; **c**</code>"),
                row("```python\nif x:\n\ty()\n```", "<pre><code class=\"language-python\">if x:\n    y()</code></pre>"),
                row("```C++ title=\"x\"\na\n```", "<pre><code class=\"language-c++\">a</code></pre>"),
                row("```\"><b>\na\n```", "<pre><code class=\"language-b\">a</code></pre>"),
                row("```\n  indented\n```", "<pre>  indented</pre>"),
                row("text\n\n    indented\n      more", "text\n\n<pre>indented\n  more</pre>"),
                row("```js\nopen", "<pre><code class=\"language-js\">open</code></pre>"),
                row("a\n```\n```\nb", "a\n\nb"),
                // links
                row("[a](https://x.org/?q=\"&b)", "<a href=\"https://x.org/?q=&quot;&amp;b\">a</a>"),
                row("[**a** `b`](https://x.org)", "<a href=\"https://x.org\"><b>a</b> b</a>"),
                row("**[a](https://x.org)**", "<b><a href=\"https://x.org\">a</a></b>"),
                row("[](https://x.org)", "<a href=\"https://x.org\">https://x.org</a>"),
                row("[a](docs/a.html)", "a (docs/a.html)"),
                row("[a](javascript:b)", "a (javascript:b)"),
                row("[a](tg://user?id=1)", "a (tg://user?id=1)"),
                row("[a](http://localhost:80/)", "a (http://localhost:80/)"),
                row("[a](https://x.org@evil.org/)", "a (https://x.org@evil.org/)"),
                row("[us](mailto:a@b.org?subject=x) [1](tel:+12345678)", "us (a@b.org) 1 (+12345678)"),
                row(
                        "<https://x.org/a_b_c> <a@b.org>",
                        "<a href=\"https://x.org/a_b_c\">https://x.org/a_b_c</a> a@b.org"),
                row("https://x.org/api/_v1_/a_b_c or *so*", "https://x.org/api/_v1_/a_b_c or <i>so</i>"),
                row("https://x.org/find?q=_t_&s=*all*, and", "https://x.org/find?q=_t_&amp;s=*all*, and"),
                row(
                        "and www.x.org/__init__.py.",
                        "and <a href=\"http://www.x.org/__init__.py\">www.x.org/__init__.py</a>."),
                row("ok@mail_box.x.org; _this_ `_x_`", "ok@mail_box.x.org; <i>this</i> <code>_x_</code>"),
                row("**https://x.org/_a_**", "<b>https://x.org/_a_</b>"),
                row("(https://x.org/a_(b)_c)", "(https://x.org/a_(b)_c)"),
                row("[https://x.org/_a_](https://x.org)", "<a href=\"https://x.org\">https://x.org/_a_</a>"),
                row("看https://x.org/_a_。_b_", "看https://x.org/_a_。<i>b</i>"),
                row("https://x.org/a\\_b\\_c?x=1&amp;y", "https://x.org/a_b_c?x=1&amp;y"),
                row("xhttps://x.org/_a_/ https://", "xhttps://x.org/<i>a</i>/ https://"),
                row("![cat](https://x.org/c.png)", "<a href=\"https://x.org/c.png\">cat</a>"),
                row("![](https://x.org/c.png)", "<a href=\"https://x.org/c.png\">https://x.org/c.png</a>"),
                row("![cat](data:image/png;base64,AAAA)", "cat"),
                row("[![ci](https://x.org/b.svg)](https://x.org)", "<a href=\"https://x.org\">ci</a>"),
                row("[a][1]\n\n[1]: https://x.org", "<a href=\"https://x.org\">a</a>"),
                // names of files
                row("See README.md, src/main.rs.", "See <code>README.md</code>, <code>src/main.rs</code>."),
                row("**run ./a.sh**", "<b>run </b><code>./a.sh</code>"),
                row(
                        "https://x.org/a.md x.org/b.md a.mdx [a.md](https://x.org)",
                        "https://x.org/a.md x.org/b.md a.mdx <a href=\"https://x.org\">a.md</a>"),
                // tables
                row("|a|b|\n|-|-:|\n|x|1|\n|**yy**|10|", "<pre>a  |  b\n---|---\nx  |  1\nyy | 10</pre>"),
                row("|語|c|\n|:-:|-|\n|a|👨‍👩‍👧|", "<pre>語 | c\n---|---\na  | 👨‍👩‍👧</pre>"),
                row(
                        "|a|b|\n|-|-|\n|[x](https://x.org)|1|\n||2|",
                        "<b>a</b>: <a href=\"https://x.org\">x</a>\n<b>b</b>: 1\n\n<b>b</b>: 2"),
                row(
                        "|a|b|\n|-|-|\n|" + "x".repeat(70) + "|`y`|",
                        "<b>a</b>: " + "x".repeat(70) + "\n<b>b</b>: <code>y</code>"),
                // characters
                row("a\u0000\u0001b\u202Ec\u2028d\u200E\u200Fe", "a  bcd\u200C\u200Fe"),
                row("\uD800x\uDC00 &#xD800;", "\uFFFDx\uFFFD \uFFFD"),
                row("A\u030A", "\u00C5"),
                row("a\r\nb\rc", "a\nb\nc"));
    }

    private static Arguments row(String markdown, String html) {
        return Arguments.of(markdown, html);
    }

    private static String lines(int count, String line) {
        return String.join("\n", Collections.nCopies(count, line));
    }

    @ParameterizedTest
    @MethodSource("constructs")
    void rendersEachConstructForTelegram(String markdown, String html) {
        var chunk = assertInstanceOf(
                MessageChunk.Message.class, Markup.chunks(markdown, TELEGRAM).getFirst(), markdown);

        assertEquals(html, chunk.markup());
        assertEquals(chunk.plain(), TelegramHtml.parse(html).text());
        assertEquals(1, Markup.chunks(markdown, TELEGRAM).size());
        assertEquals(chunk, Markup.draft(markdown, TELEGRAM).orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("nothing")
    void blankTextYieldsNoMessage(String markdown) {
        assertEquals(List.of(), Markup.chunks(markdown, TELEGRAM));
        assertTrue(Markup.draft(markdown, TELEGRAM).isEmpty());
    }

    static Stream<String> nothing() {
        return Stream.of(
                "", " \n\n ", "```", "```\n\n  \n```", "\u200B\u00A0\u2800", "[a]: https://x.org", "#", "&nbsp;");
    }

    @Test
    @Tag("P48")
    void splitsALongReplyBetweenParagraphsAndCodeBlocks() {
        // Given
        String paragraph = sentences(20);
        String code = "```java\n" + "    int value = compute(1, \"two\");\n".repeat(30) + "```";
        String markdown = IntStream.range(0, 10)
                .mapToObj(number -> "## Part " + number + "\n\n" + paragraph + "\n\n" + code)
                .collect(Collectors.joining("\n\n"));
        assertTrue(markdown.length() > 20_000);

        // When
        List<TelegramHtml.Parsed> messages = messages(markdown);

        // Then
        for (TelegramHtml.Parsed message : messages) {
            assertTrue(message.text().matches("(?s)(Part|A sentence|    int).*(while\\.|;)"), message.text());
            message.entities().stream()
                    .filter(entity -> entity.type().equals("pre"))
                    .forEach(pre -> assertEquals(30, newlines(message, pre) + 1));
        }
        assertTrue(messages.size() <= 7, "messages are full: " + messages.size());
        assertEquals(10 * (letters("Part 0" + paragraph + code) - "java".length()), letters(joined(messages)));
    }

    private static String sentences(int count) {
        return "A sentence of a paragraph that goes on for a while. "
                .repeat(count)
                .strip();
    }

    private static long newlines(TelegramHtml.Parsed message, TelegramHtml.Entity entity) {
        return message.text()
                .substring(entity.start(), entity.end())
                .chars()
                .filter(unit -> unit == '\n')
                .count();
    }

    private static long letters(String text) {
        return text.codePoints().filter(Character::isLetterOrDigit).count();
    }

    private static String joined(List<TelegramHtml.Parsed> messages) {
        return messages.stream().map(TelegramHtml.Parsed::text).collect(Collectors.joining("\n"));
    }

    /** The messages as Telegram shows them. */
    private static List<TelegramHtml.Parsed> messages(String markdown) {
        return Markup.chunks(markdown, TELEGRAM).stream()
                .map(chunk -> TelegramHtml.parse(
                        assertInstanceOf(MessageChunk.Message.class, chunk).markup()))
                .toList();
    }

    @Test
    void splitsCodeBetweenLinesAndReopensIt() {
        String markdown = "```rust\n" + "let x = 1;\n".repeat(600) + "```";

        List<TelegramHtml.Parsed> messages = messages(markdown);

        assertEquals(2, messages.size());
        for (TelegramHtml.Parsed message : messages) {
            assertEquals(List.of("pre=rust:" + message.text()), message.marks());
            assertTrue(message.text().matches("(let x = 1;\n)*let x = 1;"));
        }
        assertEquals("let x = 1;\n".repeat(600).strip(), joined(messages));
    }

    @Test
    void doesNotSplitABlockThatFitsIntoOneMessage() {
        String code = "x = 1\n".repeat(600).strip();

        List<TelegramHtml.Parsed> messages =
                messages("Look:\n\n" + sentences(30) + "\n\n```\n" + code + "\n```\n\nDone.");

        assertEquals(List.of("pre:" + code), messages.get(1).marks());
        assertEquals(code + "\n\nDone.", messages.get(1).text());
    }

    @Test
    void keepsAHeadingWithTheNextParagraph() {
        List<TelegramHtml.Parsed> messages = messages(sentences(78) + "\n\n# Title\n\n" + sentences(10));

        assertEquals(2, messages.size());
        assertEquals(List.of("b:Title"), messages.get(1).marks());
    }

    @Test
    void splitsAListBetweenItems() {
        String item = "- " + sentences(3) + "\n";

        List<TelegramHtml.Parsed> messages = messages(item.repeat(60));

        assertTrue(messages.size() > 2);
        messages.forEach(message -> assertTrue(message.text().matches("(?s)• .*while\\."), message.text()));
    }

    @Test
    void splitsALongParagraphBetweenSentencesThenWords() {
        messages("**" + sentences(300) + "**").forEach(message -> {
            assertTrue(message.text().matches("(?s)A sentence .*while\\."), message.text());
            assertEquals(List.of("b:" + message.text()), message.marks());
        });
        messages("word ".repeat(3000))
                .forEach(message -> assertTrue(message.text().matches("(word )*word")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0323\u0301", "한", "𝔘", "x"})
    void doesNotSplitGraphemeClusters(String cluster) {
        String composed = Normalizer.normalize(cluster, Normalizer.Form.NFC);

        List<TelegramHtml.Parsed> messages = messages(cluster.repeat(2000));

        for (TelegramHtml.Parsed message : messages) {
            assertEquals("", message.text().replace(composed, ""));
            assertTrue(message == messages.getLast() || message.text().length() > 4096 - composed.length());
        }
        assertEquals(composed.repeat(2000), joined(messages).replace("\n", ""));
    }

    @Test
    void limitsTheEntitiesOfAMessage() {
        List<TelegramHtml.Parsed> messages = messages("`a` **b** x.org @someone ".repeat(100));

        messages.forEach(message ->
                assertTrue(message.entities().size() + message.text().split("x\\.org|@someone", -1).length - 1 <= 90));
        assertTrue(messages.size() <= 5, "messages are full: " + messages.size());
    }

    @Test
    void limitsTheLengthOfTheMarkup() {
        String address = "https://x.org/" + "\"".repeat(2000);
        String markdown = ("[a](<" + address + ">) ").repeat(20);

        List<MessageChunk> chunks = Markup.chunks(markdown, TELEGRAM);

        chunks.forEach(
                chunk -> assertTrue(((MessageChunk.Message) chunk).markup().length() <= 30_000));
        assertEquals("a".repeat(20), joined(messages(markdown)).replaceAll("\\s", ""));
    }

    @Test
    void sendsCodeThatIsTooLongAsAFileInItsPlace() {
        // Given
        String code = "print('x')\n".repeat(1000);

        // When
        List<MessageChunk> chunks = Markup.chunks(
                "Before\n\n```python\n" + code + "```\n\n> ```\n> " + "y ".repeat(5000) + "\n> ```\nAfter", TELEGRAM);

        // Then
        assertEquals(new MessageChunk.Message("Before", "Before"), chunks.get(0));
        assertEquals(new MessageChunk.Document("code.py", "text/plain", code), chunks.get(1));
        assertEquals(
                "code-2.txt",
                assertInstanceOf(MessageChunk.Document.class, chunks.get(2)).name());
        assertEquals(new MessageChunk.Message("After", "After"), chunks.get(3));
    }

    @Test
    void sendsATooLongTableAsACsvFileWithEscapedFormulas() {
        String markdown = "|a|b|\n|-|-|\n" + "|=1+1|x, \"y\"|\n|-5|[z](https://x.org)|\n".repeat(400);

        var file = assertInstanceOf(
                MessageChunk.Document.class, Markup.chunks(markdown, TELEGRAM).getFirst());

        assertEquals("table.csv", file.name());
        assertEquals("a,b\r\n" + "'=1+1,\"x, \"\"y\"\"\"\r\n-5,z (https://x.org)\r\n".repeat(400), file.content());
    }

    @Test
    void sendsAVeryLongReplyAsAFileAfterItsBeginning() {
        String markdown = (sentences(10) + "\n\n").repeat(300);

        List<MessageChunk> chunks = Markup.chunks(markdown, TELEGRAM);

        assertEquals(2, chunks.size());
        String beginning =
                assertInstanceOf(MessageChunk.Message.class, chunks.getFirst()).plain();
        assertTrue(markdown.startsWith(beginning) && beginning.length() > 2000);
        assertEquals(new MessageChunk.Document("reply.md", "text/markdown", markdown), chunks.getLast());
    }

    // ---- drafts

    @Test
    void growingDraftKeepsItsBeginningForLong() {
        // Given
        String markdown = "# Title\n\n" + (sentences(8) + "\n\n- **item**\n- `code`\n\n").repeat(40);
        var beginnings = new ArrayList<String>();
        int longest = 0;

        for (int length = 1; length < markdown.length(); length += 23) {
            // When
            var draft = Markup.draft(markdown.substring(0, length), TELEGRAM);

            // Then
            if (draft.isPresent()) {
                String text = TelegramHtml.parse(draft.get().markup()).text();
                assertEquals(draft.get().plain(), text);
                assertTrue(text.length() <= 4096);
                longest = Math.max(longest, text.length());
                String beginning = text.substring(0, Math.min(100, text.length()));
                if (text.length() > 200 && !beginnings.contains(beginning)) {
                    beginnings.add(beginning);
                    assertTrue(beginnings.size() == 1 || text.startsWith("…\n"));
                }
            }
        }
        assertTrue(longest > 3900);
        assertTrue(beginnings.size() <= markdown.length() / 1024, "beginnings: " + beginnings.size());
    }

    @Test
    void aDraftEndsWithTheNewestText() {
        // Given
        String code = "Look:\n\n```java\n" + "int x;\n".repeat(3000) + "int last";

        // When
        var draft =
                TelegramHtml.parse(Markup.draft(code, TELEGRAM).orElseThrow().markup());
        var tooLong = Markup.draft((sentences(10) + "\n\n").repeat(1000) + "last **word**", TELEGRAM)
                .orElseThrow();
        var linked = Markup.draft("[a](https://x.org) ".repeat(1000) + "last", TELEGRAM)
                .orElseThrow();

        // Then
        assertTrue(draft.text().startsWith("…\nint x;\n") && draft.text().endsWith("int x;\nint last"));
        assertEquals(List.of("pre=java:" + draft.text().substring(2)), draft.marks());
        assertTrue(tooLong.markup().endsWith("last <b>word</b>"));
        assertTrue(linked.plain().endsWith("a last") && linked.plain().length() > 60);
    }

    // ---- hostile input

    static Stream<Arguments> hostile() {
        int count = 1 << 16;
        return Stream.of(
                        "[",
                        "![",
                        "*a_ ",
                        "**",
                        "`",
                        "> ",
                        "- ",
                        "<",
                        "&",
                        "|",
                        "|\n",
                        "~~a",
                        "[a](",
                        "[a]: b\n",
                        "  - a\n",
                        "\u0301",
                        "a\u0301\u0323",
                        "\u202E",
                        "\u200F",
                        "👨‍",
                        "\uD83D",
                        "```\n",
                        "1. ",
                        "a.b/",
                        "a/",
                        "1 (",
                        "<br",
                        "<!--",
                        "a@",
                        "# ",
                        "\t",
                        "x",
                        "é́",
                        "====\n",
                        "&#x3c;",
                        "https://x.org/",
                        "\u2003",
                        "\n\n")
                .map(piece -> Arguments.of(piece.strip(), piece.repeat(count / piece.length())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void rendersHostileTextWithinTheTimeLimit(String piece, String markdown) {
        for (String text : List.of(
                markdown, markdown.repeat(16), "|a".repeat(1000) + "\n" + "|-".repeat(1000) + "\n" + markdown)) {
            List<MessageChunk> chunks = assertTimeout(Duration.ofSeconds(5), () -> Markup.chunks(text, TELEGRAM));
            for (MessageChunk chunk : chunks) {
                if (chunk instanceof MessageChunk.Message message) {
                    assertEquals(
                            message.plain(),
                            TelegramHtml.parse(message.markup()).text());
                }
            }
            Markup.draft(text, TELEGRAM)
                    .ifPresent(draft -> assertEquals(
                            draft.plain(), TelegramHtml.parse(draft.markup()).text()));
        }
    }

    @Test
    void sendsExpandingLinksAsAFile() {
        String markdown = "[a]: ftp://" + "x".repeat(2000) + "\n\n" + "[a]".repeat(10_000);

        List<MessageChunk> chunks = Markup.chunks(markdown, TELEGRAM);

        assertEquals(List.of(new MessageChunk.Document("reply.md", "text/markdown", markdown)), chunks);
    }
}
