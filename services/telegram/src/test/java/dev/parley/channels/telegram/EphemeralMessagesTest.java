package dev.parley.channels.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.Groups;
import dev.parley.platform.testkit.TestBot;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.Chat.Whisper;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Message;
import dev.parley.platform.testkit.telegram.User;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers that one person sees, against the double. */
class EphemeralMessagesTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final FakeTelegram telegram = new FakeTelegram(now::get);
    private final BotApi api = new BotApi(telegram.url(), () -> "1:token", new ChatBackoff(now::get));
    private final EphemeralMessages ephemeral = new EphemeralMessages(api, now::get);
    private final Bot bot = telegram.bot("1:token", "parley_bot");
    private final User ann = telegram.user(7, "Ann");
    private final Chat group = bot.supergroup("tides", ann);

    EphemeralMessagesTest() throws IOException {}

    @AfterEach
    void close() {
        assertEquals(List.of(), telegram.oddities());
        api.close();
        telegram.close();
    }

    private void register() {
        TelegramMenu.register(
                api, new TestBot("telegram", telegram.url(), Groups.MENTION, Map.of("token", "env:T"), _ -> "1:token"));
    }

    private static ChatMessage read(JsonNode update) {
        return (ChatMessage) new Updates("telegram", 1, "parley_bot").event(update);
    }

    private ChatMessage said(String text) {
        return read(group.says(text).json());
    }

    private ChatMessage asked() {
        return read(group.asksAlone(bot, group, "/help").json());
    }

    @Test
    @Tag("B243")
    void helpIsPrivateInTheMenuOfGroupsAlone() {
        telegram.knowDrafts();
        register();

        assertTrue(
                bot.commands("all_group_chats", "").get(0).path("is_ephemeral").asBoolean());
        assertFalse(bot.commands("default", "").get(0).has("is_ephemeral"));
    }

    @Test
    @Tag("B244")
    void whoeverAskedAloneIsAnsweredAlone() throws Exception {
        telegram.knowDrafts();
        register();

        assertTrue(ephemeral.tell(asked(), () -> "what I can do"));
        assertEquals(List.of(new Whisper(7, "what I can do")), group.whispers());
        assertEquals(
                List.of(), group.messages().stream().filter(Message::fromBot).toList());
    }

    @Test
    @Tag("B244")
    void anAnswerThatComesTooLateIsNotShown() throws Exception {
        telegram.knowDrafts();
        register();
        ChatMessage asked = asked();

        now.set(now.get().plusSeconds(16));
        assertFalse(ephemeral.tell(asked, () -> "late"));
        assertEquals(List.of(), group.whispers());
    }

    @Test
    @Tag("B244")
    void anAdministratorTellsAnybodyOnceAnHour() throws Exception {
        telegram.knowDrafts();
        register();
        group.promotes(bot);

        assertTrue(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
        assertTrue(ephemeral.tell(said("@parley_bot hello?"), () -> "not you again"));
        assertEquals(List.of(new Whisper(7, "not you")), group.whispers());
        now.set(now.get().plusSeconds(3_601));
        assertTrue(ephemeral.tell(said("@parley_bot hello!"), () -> "still not you"));
        assertEquals(2, group.whispers().size());
    }

    @Test
    @Tag("B244")
    void whereTheBotIsNoAdministratorItIsAskedOnceAnHour() throws Exception {
        telegram.knowDrafts();
        register();

        assertFalse(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
        assertFalse(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
        assertEquals(1, bot.calls("sendMessage").size());

        group.promotes(bot);
        now.set(now.get().plusSeconds(3_601));
        assertTrue(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
    }

    @Test
    @Tag("B244")
    void anOldServerIsNeverAskedBecauseItWouldShowTheAnswerToEverybody() throws Exception {
        register();
        group.promotes(bot);

        assertFalse(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
        assertFalse(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
        assertEquals(1, bot.calls("getMyCommands").size());
        assertEquals(0, bot.calls("sendMessage").size());

        // When it is updated
        telegram.knowDrafts();
        register();
        now.set(now.get().plusSeconds(3_601));

        // Then
        assertTrue(ephemeral.tell(said("@parley_bot hello"), () -> "not you"));
    }
}
