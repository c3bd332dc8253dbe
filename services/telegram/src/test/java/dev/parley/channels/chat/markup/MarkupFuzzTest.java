package dev.parley.channels.chat.markup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.telegram.TelegramMarkup;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random replies: Telegram accepts every message, and no readable text is lost. A failing seed is
 * printed; {@code mvn test -Dtest=MarkupFuzzTest -Dseed=17} runs it alone, {@code -Druns=1000000} runs more.
 */
class MarkupFuzzTest {
    private static final MarkupDialect TELEGRAM = new TelegramMarkup();
    private static final int RUNS = 10_000;
    private static final Pattern DETECTED = Pattern.compile("(?=[hxa@#/$])(?:(?<![\\w./])(?:https?://)?x\\.org\\S*"
            + "|(?<!\\w)@someone|\\ba@b\\.org|(?<!\\w)#tag|(?<![\\w/])/start|(?<![\\w$])\\$USD(?![\\w$]))");

    @Test
    void randomRepliesBecomeMessagesThatTelegramAccepts() {
        // Given
        Long seed = Long.getLong("seed");
        var seeds = seed == null ? LongStream.range(0, Integer.getInteger("runs", RUNS)) : LongStream.of(seed);

        // When
        List<String> failures = seeds.parallel()
                .mapToObj(MarkupFuzzTest::failure)
                .flatMap(Optional::stream)
                .limit(3)
                .toList();

        // Then
        assertEquals(List.of(), failures, "seeds that fail");
    }

    private static Optional<String> failure(long seed) {
        try {
            check(seed);
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            String frames = List.of(e.getStackTrace()).stream()
                    .filter(frame -> frame.getClassName().startsWith("dev.parley"))
                    .limit(6)
                    .map(frame -> "\n  at " + frame)
                    .collect(Collectors.joining());
            return Optional.of("-Dseed=" + seed + ": " + e + frames);
        }
    }

    private static void check(long seed) {
        String markdown = new RandomMarkdown(seed).document();
        List<MessageChunk> chunks = Markup.chunks(markdown, TELEGRAM);

        var text = new StringBuilder();
        for (MessageChunk chunk : chunks) {
            text.append(
                    switch (chunk) {
                        case MessageChunk.Message message -> checked(message);
                        case MessageChunk.Document file -> file.content();
                    });
        }
        checkNothingLost(markdown, text.toString());
        if (seed % 8 == 0) {
            assertEquals(chunks, Markup.chunks(markdown, TELEGRAM), "twice the same");
        }
        int length = new SplittableRandom(seed).nextInt(markdown.length() + 1);
        String growing = seed % 4 == 0 ? markdown : markdown.substring(0, length);
        Markup.draft(growing, TELEGRAM).ifPresent(MarkupFuzzTest::checked);
    }

    /** The visible text of a message that Telegram accepts unchanged. */
    private static String checked(MessageChunk.Message message) {
        var parsed = TelegramHtml.parse(message.markup());
        assertEquals(message.plain(), parsed.text());
        assertTrue(parsed.text().length() <= 4096, "UTF-16 units");
        assertTrue(message.markup().getBytes(StandardCharsets.UTF_8).length <= 30_000, "bytes");
        long detected = DETECTED.matcher(prose(parsed)).results().count();
        assertTrue(
                parsed.entities().size() + detected <= 90,
                "entities: " + parsed.entities().size() + "+" + detected);
        int first = parsed.text().codePointAt(0);
        assertTrue(first != 0x200D && first != 0xFE0F && !(first >= 0x1F3FB && first <= 0x1F3FF), "a cluster is cut");
        return parsed.text();
    }

    private static String prose(TelegramHtml.Parsed parsed) {
        var prose = new StringBuilder(parsed.text());
        for (TelegramHtml.Entity entity : parsed.entities()) {
            if (List.of("a", "code", "pre").contains(entity.type())) {
                prose.replace(entity.start(), entity.end(), " ".repeat(entity.end() - entity.start()));
            }
        }
        return prose.toString();
    }

    // ---- visible text, determined independently of the code under test

    private static void checkNothingLost(String markdown, String text) {
        String normal = Characters.normal(markdown);
        assertEquals(letters(Normalizer.normalize(markdown, Normalizer.Form.NFC)), letters(normal));

        var heads = new ArrayList<Node>();
        Node document = MarkdownReader.PARSER.parse(normal);
        var expected = new StringBuilder();
        read(document, expected, heads);
        String visible = letters(text);
        String expectedLetters = letters(expected.toString());
        int lost = lost(expectedLetters, visible);
        assertEquals(-1, lost, () -> "lost: " + expectedLetters.substring(lost));
        for (Node head : heads) {
            assertEquals(-1, lost(letters(inside(head)), visible), "a column's name");
        }
    }

    private static String inside(Node head) {
        var text = new StringBuilder();
        for (Node child = head.getFirstChild(); child != null; child = child.getNext()) {
            read(child, text, new ArrayList<>());
        }
        return text.toString();
    }

    /** The index of the first character of the first text that the second lacks in order; -1 if it has all. */
    private static int lost(String expected, String visible) {
        int index = 0;
        for (int unit = 0; unit < expected.length(); unit++) {
            index = visible.indexOf(expected.charAt(unit), index) + 1;
            if (index == 0) {
                return unit;
            }
        }
        return -1;
    }

    private static String letters(String text) {
        return text.codePoints()
                .filter(Character::isLetterOrDigit)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static void read(Node node, StringBuilder text, List<Node> heads) {
        if (node instanceof TableCell cell && cell.isHeader()) {
            heads.add(cell);
            return;
        }
        text.append(
                switch (node) {
                    case Text plain -> isTask(plain) ? plain.getLiteral().substring(3) : plain.getLiteral();
                    case Code code -> code.getLiteral();
                    case FencedCodeBlock code -> code.getLiteral();
                    case IndentedCodeBlock code -> code.getLiteral();
                    case HtmlInline html -> html.getLiteral().replaceAll("(?i)<br\\s*/?>", "");
                    case HtmlBlock html -> html.getLiteral().replaceAll("(?i)<br\\s*/?>", "");
                    default -> "";
                });
        for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
            read(child, text, heads);
        }
    }

    private static boolean isTask(Text text) {
        return text.getPrevious() == null
                && text.getParent() instanceof Paragraph paragraph
                && paragraph.getPrevious() == null
                && paragraph.getParent() instanceof ListItem
                && text.getLiteral().matches("(?s)\\[[ xX]\\]\\s.*");
    }
}
