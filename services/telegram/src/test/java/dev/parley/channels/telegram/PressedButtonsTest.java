package dev.parley.channels.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import dev.parley.platform.testkit.telegram.Message;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages with pressed buttons, against the double with Telegram's limits. */
class PressedButtonsTest {
    private final FakeTelegram telegram;
    private final BotApi api;
    private final PressedMessages pressed;
    private Chat chat;
    private Message question;

    PressedButtonsTest() throws IOException {
        telegram = new FakeTelegram();
        telegram.limits(Limits.TELEGRAM);
        telegram.knowDrafts();
        api = new BotApi(telegram.url(), () -> "1:token", new ChatBackoff(SteadyClock.OF_PROCESS));
        pressed = new PressedMessages(api);
    }

    @BeforeEach
    void ask() throws Exception {
        Bot bot = telegram.bot("1:token", "parley_bot");
        chat = bot.chat(telegram.user(7, "Ann"));
        chat.says("hello");
        ObjectNode params = params().put("text", "May I?");
        params.putObject("reply_markup")
                .putArray("inline_keyboard")
                .addArray()
                .addObject()
                .put("text", "Once")
                .put("style", "success")
                .put("callback_data", "once");
        api.call("sendMessage", params);
        question = chat.answers().getFirst();
    }

    @AfterEach
    void close() {
        assertEquals(List.of(), telegram.violations());
        api.close();
        telegram.close();
    }

    private ObjectNode params() {
        return BotApi.params(new ConversationAddress("telegram", Long.toString(chat.id()), null));
    }

    private boolean decide() throws InterruptedException {
        JsonNode update = chat.presses(question, "Once").json();
        JsonNode query = update.path("callback_query");
        var press = new ButtonPress(
                new ConversationAddress("telegram", Long.toString(chat.id()), null),
                new Sender("7", "Ann"),
                query.path("id").asText(),
                "once",
                Integer.toString(question.id()),
                null);
        pressed.remember(press, update);
        return pressed.replace(press, "Allowed this time by Ann.");
    }

    private JsonNode button() {
        return chat.message(question.id()).json().at("/reply_markup/inline_keyboard/0/0");
    }

    @Test
    @Tag("B186")
    void aChatThatIsFullIsWaitedForAndTheMessageIsChangedAfterAll() throws Exception {
        // Given frames of a draft that fill the chat
        int frames = 0;
        try {
            for (; frames < 10; frames++) {
                api.call("sendMessageDraft", params().put("draft_id", 5).put("text", "x".repeat(frames + 1)));
            }
        } catch (BotApiException e) {
            assertEquals(429, e.code());
        }
        assertTrue(frames < 10);

        // When
        assertTrue(decide());

        // Then
        assertEquals("Allowed this time by Ann.", chat.message(question.id()).text());
        assertEquals("success", button().path("style").asText());
        assertTrue(button().has("disabled"));
    }

    @Test
    void aLongWaitIsNotAwaited() throws Exception {
        var wait = JsonNodeFactory.instance.objectNode().put("retry_after", 30);
        telegram.failNext("editMessageText", 1, 429, "Too Many Requests: retry after 30", wait);

        assertFalse(decide());
        assertEquals("May I?", chat.message(question.id()).text());
    }

    @Test
    @Tag("B186")
    void anAnswerThatIsLostIsAskedForAgain() throws Exception {
        telegram.cutAfter("editMessageText");

        assertTrue(decide());
        assertEquals("Allowed this time by Ann.", chat.message(question.id()).text());
        assertTrue(button().has("disabled"));
    }

    @Test
    void anOldServerRemovesTheButtonsOnce() throws Exception {
        telegram.failNext("editMessageText", 1, 400, "Bad Request: can't parse inline keyboard button");

        assertTrue(decide());
        assertTrue(button().isMissingNode());

        // When pressed once more, no such button is tried
        ObjectNode other = params().put("text", "And now?");
        other.putObject("reply_markup")
                .putArray("inline_keyboard")
                .addArray()
                .addObject()
                .put("text", "Once")
                .put("callback_data", "once");
        api.call("sendMessage", other);
        question = chat.answers().getLast();
        assertTrue(decide());
        assertTrue(button().isMissingNode());
    }
}
