package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.markup.Markup;
import dev.parley.channels.chat.markup.MessageChunk;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscordMarkupTest {
    private static final DiscordMarkup MARKUP = new DiscordMarkup();

    private static List<String> messages(String markdown) {
        return Markup.chunks(markdown, MARKUP).stream()
                .map(chunk ->
                        assertInstanceOf(MessageChunk.Message.class, chunk).markup())
                .toList();
    }

    private static String message(String markdown) {
        List<String> messages = messages(markdown);
        assertEquals(1, messages.size());
        return messages.getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "some **bold** and *slanted* words | some **bold** and *slanted* words",
                "~~gone~~ | ~~gone~~",
                "`code` | ``code``",
                "[text](https://example.org/a_b) | [text](<https://example.org/a_b>)",
                "https://example.org/a_b_c | https://example.org/a_b_c",
                "2 \\* 3 \\* 4 | 2 \\* 3 \\* 4",
                "snake_case_name | snake\\_case\\_name"
            })
    void rendersMarkdown(String markdown, String expected) {
        assertEquals(expected, message(markdown));
    }

    @Test
    void escapesSpoilers() {
        assertEquals("a \\|\\| b", message("a || b"));
    }

    @Test
    void escapesMentions() {
        assertEquals("\\@everyone, \\<\\@&5>, \\<#6>", message("@everyone, \\<@&5\\>, \\<#6\\>"));
    }

    @Test
    void escapesHeadingAndQuoteMarksInPlainText() {
        assertEquals("\\# one\n\\> two\n\\-# three", DiscordMarkup.fromPlain("# one\n> two\n-# three"));
    }

    @Test
    void keepsLanguageAndBackticksOfCode() {
        assertEquals("```java\nint a;\n```", message("```java\nint a;\n```"));
        assertEquals(1, message("````\na ``` b\n````").split("```\n", -1).length - 1);
    }

    @Test
    void marksEachLineOfAQuote() {
        assertEquals("> one\n> two", message("> one\n> two"));
        assertEquals("> ```\n> one\n> two\n> ```", message("> ```\n> one\n> two\n> ```"));
    }

    @Test
    void rendersATableAsCode() {
        String table = message("| a | b |\n|---|---|\n| 1 | 2 |");
        assertTrue(table.startsWith("```\n") && table.endsWith("\n```"), table);
    }

    @Test
    @Tag("P48")
    void closesCodeFencesInEachMessage() {
        // Given
        String code = IntStream.range(0, 300).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));

        // When
        List<String> messages = messages("Before.\n\n```sh\n" + code + "\n```\n\nAfter.");

        // Then
        assertTrue(messages.size() > 1);
        for (String message : messages) {
            assertTrue(message.length() <= DiscordMarkup.MAX_LENGTH);
            assertEquals(0, (message.split("```", -1).length - 1) % 2, message);
        }
        for (int i = 0; i < 300; i++) {
            String line = "line " + i + "\n";
            assertEquals(
                    1,
                    messages.stream().filter(message -> message.contains(line)).count(),
                    line);
        }
    }

    @Test
    @Tag("P48")
    void limitsTheLengthOfRandomMessages() {
        var random = new Random(7);
        String[] pieces = {
            "**",
            "*",
            "_",
            "`",
            "> ",
            "\n",
            "\n\n",
            "word ",
            "long_name ",
            "- ",
            "1. ",
            "~~",
            "[a](https://b.c) ",
            "😀",
            "```\n",
            "<",
            "@"
        };
        for (int i = 0; i < 200; i++) {
            String text = IntStream.range(0, 800 + random.nextInt(2_000))
                    .mapToObj(_ -> pieces[random.nextInt(pieces.length)])
                    .collect(Collectors.joining());
            for (MessageChunk chunk : Markup.chunks(text, MARKUP)) {
                if (chunk instanceof MessageChunk.Message message) {
                    int length = message.markup().length();
                    assertTrue(length <= DiscordMarkup.MAX_LENGTH, "text " + i + " has a message of " + length);
                }
            }
            Markup.draft(text, MARKUP)
                    .ifPresent(message -> assertTrue(message.markup().length() <= DiscordMarkup.MAX_LENGTH));
        }
    }
}
