package dev.parley.channels.bots.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Piece;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LongQuestionTest {
    private static final List<Piece> THREE = Collections.nCopies(3, Piece.Words.plain("x"));
    private static final List<Piece> FOUR = Collections.nCopies(4, Piece.Words.plain("x"));

    private static Reply reply(String action) {
        return new Reply(
                Ids.of("reply"),
                Ids.of("host"),
                RecordKey.of("web:1"),
                Ids.of("turn"),
                new ReplyAddress("bot", "chat", null, null),
                Reply.Kind.MESSAGE,
                "May I use write?\n```\n" + "a long call ".repeat(1_000) + "\n```",
                Instant.EPOCH,
                List.of(),
                List.of(new Choice("Once", action, "O 1")));
    }

    @Test
    @Tag("B73")
    void onlyQuestionsThatAreTooLongAreFiles() {
        assertTrue(LongQuestion.is(reply(Choice.APPROVAL), FOUR));
        assertFalse(LongQuestion.is(reply(Choice.APPROVAL), THREE));
        assertFalse(LongQuestion.is(reply("model"), FOUR));
    }

    @Test
    @Tag("B73")
    void fileHasAllOfTheCallAndTheButtonsAreBelowIt() {
        Reply reply = reply(Choice.APPROVAL);
        var question = new LongQuestion(reply);

        assertEquals(reply.text(), new String(question.file().bytes(), StandardCharsets.UTF_8));
        assertTrue(question.words(true).plain().startsWith("May I use write?\n"));
        assertEquals(reply.choices(), question.words(true).choices());
    }

    @Test
    @Tag("B73")
    void withoutTheFileThereAreNoButtons() {
        Piece.Words words = new LongQuestion(reply(Choice.APPROVAL)).words(false);

        assertEquals(List.of(), words.choices());
        assertTrue(words.plain().contains("in the console or over HTTP"), words.plain());
    }
}
