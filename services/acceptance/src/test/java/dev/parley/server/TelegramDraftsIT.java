package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Call;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.Event;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import dev.parley.platform.testkit.telegram.Message;
import dev.parley.platform.testkit.telegram.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The complete server process with a strict fake of Telegram's Bot API 10.5. */
class TelegramDraftsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "123456:AAbot-token_0123456789";
    private static final String PLAIN = "234567:AAplain-token_0123456789";

    @TempDir
    static Path folder;

    private static FakeTelegram telegram;
    private static Bot bot;
    private static Bot plain;
    private static Instance instance;
    private static Api api;
    private static long people = 2_000;

    private final User ann = telegram.user(++people, "Ann");
    private final Chat chat = bot.chat(ann);

    @BeforeAll
    static void start() throws IOException {
        telegram = new FakeTelegram();
        telegram.limits(Limits.TELEGRAM);
        telegram.knowDrafts();
        bot = telegram.bot(TOKEN, "parley_bot");
        plain = telegram.bot(PLAIN, "plain_bot");
        Files.writeString(folder.resolve("token"), TOKEN);
        Files.writeString(folder.resolve("plain"), PLAIN);
        Files.writeString(folder.resolve("parley.yml"), """
                telegram:
                  - { name: telegram, token: "file:%1$s/token", apiUrl: "%2$s", allowAll: true }
                  - { name: plain, token: "file:%1$s/plain", apiUrl: "%2$s", allowAll: true, drafts: false, richMessages: false }
                permissions:
                  - { tool: time, action: ask }
                """.formatted(folder, telegram.url()));
        instance = Instances.start(folder.resolve("data"));
        api = Api.of(instance);
        bot.awaitPoll(SOON);
        plain.awaitPoll(SOON);
    }

    @AfterAll
    static void stop() {
        instance.close();
        telegram.close();
    }

    @AfterEach
    void nothingWasSentTooEarly() {
        assertEquals(List.of(), telegram.violations());
        assertEquals(List.of(), telegram.oddities());
    }

    private static List<String> answers(Chat chat) {
        return chat.answers().stream().map(Message::text).toList();
    }

    private static JsonNode turns(String session) {
        return api.get("/v1/sessions/" + session + "/turns").json().path("data");
    }

    private void awaitState(String state) {
        String session = "telegram:" + chat.id();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> turns(session).path(0).path("state").asText().equals(state));
    }

    private static List<Call> calls(Bot of, Chat chat, String method) {
        return of.calls(method).stream()
                .filter(call -> call.params().path("chat_id").asLong() == chat.id())
                .toList();
    }

    private List<String> frames() {
        return chat.frames().stream().map(Event::detail).toList();
    }

    @Test
    @Tag("B180")
    @Tag("P40")
    void anAnswerGrowsAsADraftThatBeginsWithoutWords() {
        // When
        chat.says("!delay 2s\n!stream 60 words over 6s");

        // Then
        awaitState("COMPLETED");
        String reply = turns("telegram:" + chat.id()).path(0).path("reply").asText();
        chat.awaitAnswer(reply.strip(), SOON);
        assertEquals("", frames().getFirst());
        assertTrue(frames().size() > 3, frames().toString());
        assertTrue(frames().stream().skip(1).allMatch(frame -> reply.startsWith(frame.strip())), frames().toString());
        Set<Long> ids = calls(bot, chat, "sendMessageDraft").stream()
                .map(call -> call.params().path("draft_id").asLong())
                .collect(Collectors.toSet());
        assertEquals(1, ids.size());
        List<Event> frames = chat.frames();
        for (int i = 1; i < frames.size(); i++) {
            Duration gap =
                    Duration.between(frames.get(i - 1).at(), frames.get(i).at());
            assertTrue(gap.toMillis() >= 290, frames.toString());
        }
        assertEquals(1, calls(bot, chat, "sendMessage").size());
        assertEquals(1, calls(bot, chat, "editMessageText").size());
        assertEquals(List.of(), chat.actions());
        assertFalse(chat.showsDraft());
    }

    @Test
    @Tag("B180")
    void theLastLineOfADraftSaysWhatToolRuns() {
        chat.says("!call echo {\"text\":\"x\"}\n!delay 1s\n!then\n!delay 2s\n!say done");

        chat.awaitAnswer("done", SOON);
        assertEquals(List.of("done"), answers(chat));
        assertFalse(frames().isEmpty());
    }

    @Test
    @Tag("B181")
    void theButtonOfADraftStopsItsTurnAndNoLaterOne() {
        // Given
        chat.says("!stream 300 words over 60s");
        telegram.await(() -> chat.frames().size() > 2, SOON, chat::toString);
        long draft = calls(bot, chat, "sendMessageDraft")
                .getFirst()
                .params()
                .path("draft_id")
                .asLong();

        // When
        chat.stopsDraft();

        // Then
        awaitState("CANCELLED");
        chat.await(messages -> messages.stream().anyMatch(Message::fromBot), SOON);
        assertEquals(1, chat.answers().size());

        // When it comes late, during another turn
        chat.says("!delay 6s\n!say the second");
        telegram.await(chat::showsDraft, SOON, chat::toString);
        chat.stops(draft, 0);

        // Then
        chat.awaitAnswer("the second", SOON);
    }

    @Test
    @Tag("B182")
    void framesAreDroppedWhereTheChatIsRateLimitedAndTheAnswerIsNot() {
        // Given
        var wait = JsonNodeFactory.instance.objectNode().put("retry_after", 3);
        telegram.failNext("sendMessageDraft", 1, 429, "Too Many Requests: retry after 3", wait);

        // When
        chat.says("!stream 20 words over 2s");

        // Then
        awaitState("COMPLETED");
        String reply = turns("telegram:" + chat.id()).path(0).path("reply").asText();
        chat.awaitAnswer(reply.strip(), SOON);
        assertEquals(1, chat.answers().size());
        assertEquals(1, calls(bot, chat, "editMessageText").size(), "no other form takes the place of the draft");
    }

    @Test
    @Tag("B182")
    void aChatWithoutDraftsGetsAMessageThatGrows() {
        // Given
        telegram.failNext("sendMessageDraft", 1, 400, "Bad Request: TEXTDRAFT_PEER_INVALID");

        // When
        chat.says("!stream 60 words over 6s");

        // Then
        awaitState("COMPLETED");
        String reply = turns("telegram:" + chat.id()).path(0).path("reply").asText();
        chat.awaitAnswer(reply.strip(), SOON);
        assertEquals(1, calls(bot, chat, "sendMessageDraft").size());
        assertTrue(calls(bot, chat, "editMessageText").size() > 2);
        assertEquals(1, chat.answers().size());
    }

    @Test
    @Tag("B183")
    void whatATextCannotShowIsARichMessageAndTheRestStaysText() {
        chat.says("!say # Tides of the lock");
        chat.awaitAnswer("# Tides of the lock", SOON);
        chat.says("!say **Low** tide");
        chat.awaitAnswer("Low tide", SOON);

        assertTrue(chat.answers().getFirst().json().has("rich_message"));
        assertFalse(chat.answers().getLast().json().has("rich_message"));
    }

    @Test
    @Tag("B184")
    void aRefusedRichMessageIsSentAsTextOnce() {
        // Given
        telegram.failNext("editMessageText", 1, 400, "Bad Request: RICH_MESSAGE_HEADING_INVALID");

        // When
        chat.says("!say # Tides of the lock");

        // Then
        chat.awaitAnswer("Tides of the lock", SOON);
        assertEquals(List.of("Tides of the lock"), answers(chat));
    }

    @Test
    @Tag("B184")
    void aBotWithoutDraftsAndRichMessagesWorksAsBefore() {
        // Given
        Chat theirs = plain.chat(ann);

        // When
        theirs.says("!say # Tides of the lock");
        theirs.awaitAnswer("Tides of the lock", SOON);
        theirs.says("!stream 60 words over 6s");

        // Then
        theirs.await(messages -> messages.stream().filter(Message::fromBot).count() == 2, SOON);
        telegram.await(() -> calls(plain, theirs, "editMessageText").size() > 3, SOON, theirs::toString);
        assertEquals(List.of(), theirs.frames());
    }

    @Test
    @Tag("B186")
    void pressedButtonsStayWithTheirStyleAndCanNoLongerBePressed() {
        // Given
        chat.says("!call time {}");
        Message question = chat.awaitAnswer(message -> !message.buttons().isEmpty(), SOON);
        String first = question.buttons().getFirst();
        assertEquals(
                "success",
                question.json().at("/reply_markup/inline_keyboard/0/0/style").asText());

        // When
        chat.presses(question, first);

        // Then
        chat.await(messages -> chat.message(question.id()).edits() > question.edits(), SOON);
        Message decided = chat.message(question.id());
        assertEquals(question.buttons(), decided.buttons());
        assertTrue(decided.json().at("/reply_markup/inline_keyboard/0/0").has("disabled"));
        assertTrue(decided.json().findValues("callback_data").isEmpty());
    }

    @Test
    @Tag("B188")
    void unknownUpdatesAndFieldsDoNotStopTheIntake() {
        // When
        bot.inject(JsonNodeFactory.instance
                .objectNode()
                .set("guild_of_tides", JsonNodeFactory.instance.arrayNode().add(7)));
        bot.inject(JsonNodeFactory.instance.objectNode().put("stopped_message_generation", "odd"));
        chat.says("!say still here");

        // Then
        chat.awaitAnswer("still here", SOON);
    }

    @Test
    @Tag("B185")
    void topicsOfAPrivateChatAreSessionsAndADeletedOneIsAnsweredInTheChat() {
        // Given
        int tides = chat.topic("tides");
        int locks = chat.topic("locks");

        // When
        chat.in(tides).says("my name is Ada");
        chat.await(messages -> messages.stream().anyMatch(m -> m.fromBot() && m.thread() == tides), SOON);
        chat.in(locks).says("!delay 10s\n!say of the locks"); // a frame may wait until the chat has room
        telegram.await(chat::showsDraft, SOON, chat::toString);
        chat.deleteTopic(locks);

        // Then
        Message answer = chat.awaitAnswer("of the locks", SOON);
        assertEquals(0, answer.thread());
        Stream.of(tides, locks)
                .forEach(topic -> Awaitility.await()
                        .atMost(SOON)
                        .until(() ->
                                turns("telegram:" + chat.id() + ":" + topic).size() == 1));
        assertEquals(0, turns("telegram:" + chat.id()).size());
    }
}
