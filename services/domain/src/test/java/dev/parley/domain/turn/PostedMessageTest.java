package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.ModelRequested;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of the assistant for which no model is called. */
class PostedMessageTest {
    private static final ReplyAddress CHAT = new ReplyAddress("bot", "chat", "7", null);

    private final SessionFixture chat = new SessionFixture().other("bot:chat:7");

    private UUID posts(String text) {
        return chat.takes(posted(chat.message(text, MailboxMode.FOLLOWUP, null)));
    }

    /** The message as one of the assistant, sent by the bot. */
    private SubmitTurn posted(SubmitTurn message) {
        return new SubmitTurn(
                        message.meta(),
                        Origin.API,
                        message.originRef(),
                        message.mode(),
                        null,
                        null,
                        message.content(),
                        "api",
                        null,
                        null,
                        null,
                        false,
                        null,
                        List.of(),
                        List.of(),
                        true,
                        true)
                .ofBot(chat.state().key(), "bot", "telegram", null);
    }

    /** A message that a person writes in the chat. */
    private UUID says(String text) {
        SubmitTurn message = chat.message(text, MailboxMode.FOLLOWUP, null);
        return chat.takes(message.ofBot(chat.state().key(), "bot", "telegram", null));
    }

    private List<Reply> finals() {
        return chat.replies(Reply.Kind.FINAL);
    }

    @Test
    @Tag("B225")
    void isDeliveredWithoutAModelAndIsTheAssistantsInTheNextTurn() {
        // Given
        UUID posted = posts("The build is red.");

        // When
        says("which one?");

        // Then
        assertEquals(List.of("assistant: The build is red.", "user: which one?"), chat.shown());
        assertEquals(1, chat.events(ModelRequested.class).size());
        assertEquals(
                List.of("The build is red."), finals().stream().map(Reply::text).toList());
        assertEquals(CHAT, finals().getFirst().to());
        Outcome.Finished end = chat.finished(posted);
        assertEquals(TurnState.COMPLETED, end.state());
        assertEquals("The build is red.", end.reply());
        assertEquals("", end.text());
    }

    @Test
    void opensTheSessionOfAChatInTheBotsName() {
        // When
        posts("Hello.");

        // Then
        assertEquals(Actor.bot("bot"), chat.state().open().owner());
        assertEquals("chat:7", chat.state().open().channelId());
        assertNull(chat.state().open().user());
    }

    @Test
    void firstPersonWhoWritesInThatChatIsItsUser() {
        // Given
        posts("Hello.");

        // When
        says("hi");

        // Then
        assertEquals("ann", chat.state().open().user());
        assertFalse(chat.state().open().shared());
    }

    @Test
    @Tag("B225")
    void isDeliveredDuringATurnAndEntersTheContextAfterIt() {
        // Given
        says("think hard");

        // When
        UUID posted = posts("Lunch is ready.");

        // Then
        assertEquals(
                List.of("Lunch is ready."), finals().stream().map(Reply::text).toList());
        chat.modelAnswers("42");
        assertEquals(TurnState.COMPLETED, chat.finished(posted).state());
        says("and?");
        assertEquals(
                List.of("user: think hard", "assistant: 42", "assistant: Lunch is ready.", "user: and?"), chat.shown());
    }

    @Test
    void isOneMessageHoweverOftenItIsSent() {
        // Given
        SubmitTurn message = posted(chat.message("Once.", MailboxMode.FOLLOWUP, null));
        chat.takes(message);

        // When
        chat.takes(message);

        // Then
        assertEquals(1, finals().size());
        assertEquals(1, chat.events(TurnAccepted.class).size());
    }

    @Test
    void cannotBeTakenBackWhileItWaits() {
        // Given
        says("think hard");
        UUID posted = posts("Lunch is ready.");

        // When
        UUID cancel = chat.cancels(posted);

        // Then
        assertEquals(
                "turn_finished",
                assertInstanceOf(Outcome.Refused.class, chat.outcome(cancel)).code());
    }

    @Test
    void joinsNoOtherMessage() {
        // Given
        SubmitTurn steering = chat.message("x", MailboxMode.STEER, null);

        // When / Then
        assertThrows(IllegalArgumentException.class, () -> posted(steering));
    }

    @Test
    void sessionOfNoChatHasNoAddress() {
        assertNull(ReplyAddress.ofChat(RecordKey.of("bot:chat"), Actor.person("ann")));
        assertNull(ReplyAddress.ofChat(RecordKey.of("bot:chat:7:delegate:x"), Actor.bot("bot")));
        assertNull(ReplyAddress.ofChat(RecordKey.of("other:chat"), Actor.bot("bot")));
        assertEquals(
                new ReplyAddress("bot", "c", null, null), ReplyAddress.ofChat(RecordKey.of("bot:c"), Actor.bot("bot")));
    }

    @Test
    void filesGoToTheChatToo() {
        // Given
        var file = new Block.File("a.png", "image/png", 3, "0".repeat(64), null, null);
        SubmitTurn message = chat.message("", MailboxMode.FOLLOWUP, null);

        // When
        chat.takes(posted(message.withMessage(List.of(file), List.of())));

        // Then
        assertEquals(List.of(file), finals().getFirst().files());
    }
}
