package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.GrowingAnswer.Activity;
import dev.parley.channels.contract.GrowingAnswer.State;
import dev.parley.channels.slack.StreamedAnswer.Step;
import dev.parley.channels.slack.StreamedAnswer.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamedAnswerTest {
    private static final UUID TURN = new UUID(0, 1);

    private static GrowingAnswer answer(String text, Activity... activities) {
        return new GrowingAnswer(TURN, text, "", List.of(activities));
    }

    private static String text(Step step) {
        var text = new StringBuilder();
        step.chunks().forEach(chunk -> text.append(chunk.path("text").asText("")));
        return text.toString();
    }

    private static List<String> tasks(Step step) {
        var tasks = new ArrayList<String>();
        for (JsonNode chunk : step.chunks()) {
            if (chunk.path("type").asText().equals("task_update")) {
                tasks.add(chunk.path("id").asText() + " " + chunk.path("title").asText() + " "
                        + chunk.path("status").asText());
            }
        }
        return tasks;
    }

    @Test
    @Tag("B192")
    void chunksTogetherAreTheAnswerAndNoneBeginsWithWhiteSpace() {
        String whole =
                "The pump of hall 3, \uD83D\uDE80 stops.\n\n- one\n- two\n\n    code  \n\n漢字が続く長い文章です。".repeat(9);
        var random = new SplittableRandom(11);
        for (int run = 0; run < 50; run++) {
            var shown = StreamedAnswer.NEW;
            var told = new StringBuilder();
            for (int end = 1; end < whole.length(); end += 1 + random.nextInt(17)) {
                Step step = shown.next(answer(whole.substring(0, end)));
                assertFalse(!step.isEmpty() && Character.isWhitespace(text(step).charAt(0)), text(step));
                told.append(text(step));
                shown = step.after();
            }
            Step last = shown.finish(whole).orElseThrow();
            told.append(text(last));
            assertEquals(whole.strip(), told.toString());
        }
    }

    @Test
    @Tag("B192")
    void aReferenceIsNotCutSoThatNobodyIsNotified() {
        String whole = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx<!channel>xxxxxxxxxxxxxx <@U012AB3CD> end";
        for (int first = 1; first < whole.length(); first++) {
            Step one = StreamedAnswer.NEW.next(answer(whole.substring(0, first)));
            Step two = one.after().next(answer(whole + " of it."));
            String told = text(one) + text(two);
            assertFalse(told.contains("<!channel>") || told.contains("<@U0"), told);
        }
    }

    @ParameterizedTest
    @Tag("B192")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ~# Pumps\nAll is~            | ~**Pumps**\nAll ~
            ~## *Pumps* ##\n\nAll is~     | ~**Pumps**\n\nAll ~
            ~# Pumps and~                | ~~
            ~See:\n\n\\| a \\| b \\|\n~    | ~See:\n\n~
            ~\n\nHello there~            | ~Hello ~
            """)
    void headingsAndTablesAreKeptFromTheStart(String written, String shown) {
        Step step = StreamedAnswer.NEW.next(answer(plain(written)));

        assertEquals(plain(shown), text(step));
    }

    private static String plain(String written) {
        return written.replace("\\n", "\n").replace("\\|", "|");
    }

    @Test
    @Tag("B192")
    void aCallOfAToolIsACardWithItsState() {
        // When
        Step called = StreamedAnswer.NEW.next(answer("", new Activity("0-a", "search", State.RUNNING)));
        Step ended = called.after()
                .next(answer(
                        "", new Activity("0-a", "search", State.FAILED), new Activity("1-b", "fetch", State.RUNNING)));
        Step same = ended.after()
                .next(answer(
                        "", new Activity("0-a", "search", State.FAILED), new Activity("1-b", "fetch", State.RUNNING)));

        // Then
        assertEquals(List.of("0-a search in_progress"), tasks(called));
        assertEquals(List.of("0-a search error", "1-b fetch in_progress"), tasks(ended));
        assertTrue(same.isEmpty());
        assertEquals(1, ended.after().alive().size(), "it is told again while it runs");
        assertEquals(
                List.of("1-b fetch complete"),
                tasks(ended.after().finish("Done.").orElseThrow()),
                "the answer ends what runs");
    }

    @Test
    @Tag("B192")
    void progressIsACardOfItsOwn() {
        Step step = StreamedAnswer.NEW.next(new GrowingAnswer(TURN, "", "Reading the log", List.of()));

        assertEquals(List.of("progress Reading the log in_progress"), tasks(step));
        assertEquals(
                List.of("progress Reading the log complete"),
                tasks(step.after().finish("It is fine.").orElseThrow()));
    }

    @Test
    @Tag("B192")
    void theEndBringsTablesAsBlocks() {
        var shown =
                StreamedAnswer.NEW.next(answer("All pumps now:\n\n| pump | ")).after();

        Step last = shown.finish("All pumps now:\n\n| pump | bar |\n|--|--|\n| A | 1 |\n\nThat is all.")
                .orElseThrow();

        assertEquals("", text(last));
        assertEquals("table", last.blocks().path(0).path("type").asText());
        assertEquals("That is all.", last.blocks().path(1).path("text").asText());
    }

    @Test
    @Tag("B192")
    void anotherAnswerOrADoubtReplacesTheMessageAtTheEnd() {
        var shown = StreamedAnswer.NEW.next(answer("Let me look that up.")).after();
        Step other = shown.next(answer("The pump of hall 3 stops."));

        assertEquals("\u200B\n\nThe pump of hall 3 ", text(other));
        assertTrue(other.after().finish("The pump of hall 3 stops.").isEmpty());
        assertTrue(shown.finish("Let me look that way.").isPresent(), "what was shown is its beginning");
        assertTrue(shown.finish("No.").isEmpty());
        assertTrue(shown.doubted().finish("Let me look that up.").isEmpty());
        assertEquals("", text(shown.doubted().next(answer("Let me look that up. It is here."))));
        assertEquals(Trust.OTHER, other.after().trust());
    }

    @Test
    @Tag("B192")
    void textThatOneMessageCannotShowIsNotStreamed() {
        String word = "word ";
        Step step = StreamedAnswer.NEW.next(answer(word.repeat(5_000)));

        assertTrue(text(step).length() <= SlackPieces.MAX_MARKDOWN);
        assertTrue(step.after().next(answer(word.repeat(6_000))).isEmpty());
    }
}
