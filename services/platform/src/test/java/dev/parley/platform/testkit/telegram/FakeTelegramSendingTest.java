package dev.parley.platform.testkit.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FakeTelegramSendingTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private FakeTelegram fake;
    private Bot bot;
    private User alice;
    private Chat chat;
    private Caller caller;

    @BeforeEach
    void start() throws IOException {
        fake = new FakeTelegram(now::get);
        bot = fake.bot("123:TOKEN", "parley_bot");
        alice = fake.user(7, "Alice");
        chat = bot.chat(alice);
        caller = new Caller(fake, bot, client);
    }

    @AfterEach
    void stop() {
        fake.close();
        client.close();
    }

    private static String to(Chat chat, String text) {
        return "{'chat_id':" + chat.id() + ",'text':'" + text + "'}";
    }

    private int send(String text) throws Exception {
        return caller.result("sendMessage", to(chat, text)).path("message_id").asInt();
    }

    private void advance(long millis) {
        now.updateAndGet(time -> time.plusMillis(millis));
    }

    @Test
    void appliesAnEditAndRejectsTheSameEdit() throws Exception {
        int id = send("one");
        String edit = "{'chat_id':7,'message_id':" + id + ",'text':'two '}";
        assertEquals("two", caller.result("editMessageText", edit).path("text").asText());
        assertEquals(
                "Bad Request: message is not modified: specified new message content and reply markup are exactly "
                        + "the same as a current content and reply markup of the message",
                caller.error("editMessageText", edit));
        assertEquals("two", chat.message(id).text());
        assertEquals(List.of("one"), chat.message(id).earlier());
        assertEquals(1, chat.message(id).edits());
    }

    @Test
    void rejectsEditsOfDeletedAndForeignMessages() throws Exception {
        // Given
        int id = send("one");
        Update update = chat.says("mine");
        caller.result("deleteMessage", "{'chat_id':7,'message_id':" + id + "}");

        // Then
        assertEquals(
                "Bad Request: message to edit not found",
                caller.error("editMessageText", "{'chat_id':7,'message_id':" + id + ",'text':'x'}"));
        assertEquals(
                "Bad Request: message can't be edited",
                caller.error("editMessageText", "{'chat_id':7,'message_id':" + update.messageId() + ",'text':'x'}"));
        assertEquals(
                "Bad Request: message to delete not found",
                caller.error("deleteMessage", "{'chat_id':7,'message_id':" + id + "}"));
        assertEquals(List.of(), chat.answers());
    }

    @Test
    void messageIsSentIfTheConnectionIsCutAfterwards() throws Exception {
        fake.cutAfter("sendMessage");
        assertThrows(IOException.class, () -> send("one"));
        assertEquals("one", chat.awaitAnswer("one", SOON).text());
        assertEquals("cut after", bot.calls("sendMessage").getFirst().description());
        send("two");
        assertEquals(2, chat.answers().size());
    }

    @Test
    void messageIsNotSentIfTheConnectionIsCutBefore() throws Exception {
        fake.cutBefore("sendMessage");
        assertThrows(IOException.class, () -> send("one"));
        send("two");
        assertEquals("two", chat.answers().getFirst().text());
        assertEquals(1, chat.answers().size());
    }

    @Test
    void slowCallCompletesDespiteAnAbortedRequest() {
        fake.slow("sendMessage", Duration.ofMillis(200));
        var request = HttpRequest.newBuilder(URI.create(fake.url() + "/bot123:TOKEN/sendMessage"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("chat_id=7&text=late+one"))
                .build();
        var answer = client.sendAsync(request, BodyHandlers.ofString());
        bot.awaitCall("sendMessage", call -> true, SOON);
        answer.cancel(true);
        chat.awaitAnswer("late one", SOON);
    }

    @Test
    void limitsAChatToABurstOfThreeAndThenOneASecond() throws Exception {
        fake.limits(Limits.TELEGRAM);
        int id = send("1");
        send("2");
        caller.result("editMessageText", "{'chat_id':7,'message_id':" + id + ",'text':'x'}");
        var refused = caller.raw("sendMessage", to(chat, "4"));
        assertEquals(429, refused.statusCode());
        assertEquals("1", refused.headers().firstValue("Retry-After").orElseThrow());
        JsonNode json = Json.parse(refused.body());
        assertEquals(
                "Too Many Requests: retry after 1", json.path("description").asText());
        assertEquals(1, json.at("/parameters/retry_after").asInt());
        assertEquals(List.of(), fake.violations());
        advance(400);
        assertEquals(429, caller.raw("sendMessage", to(chat, "4")).statusCode());
        assertEquals(Duration.ofMillis(600), fake.violations().getFirst().early());
        advance(600);
        send("4");
        assertEquals(1, fake.violations().size());
    }

    @Test
    void limitsGroupsPerMinuteAndBotsPerSecond() throws Exception {
        fake.limits(new Limits(30, 0, Duration.ZERO, 20, false));
        Chat group = bot.group("Group", alice);
        for (int i = 0; i < 20; i++) {
            caller.result("sendMessage", to(group, "n" + i));
        }
        assertEquals("Too Many Requests: retry after 60", caller.error("sendMessage", to(group, "more")));
        for (int i = 0; i < 10; i++) {
            send("n" + i);
        }
        assertEquals("Too Many Requests: retry after 1", caller.error("sendMessage", to(chat, "more")));
        advance(60_000);
        caller.result("sendMessage", to(group, "more"));
    }

    @Test
    void injectedRateLimitAppliesToTheChat() throws Exception {
        fake.failNext(
                "sendMessage",
                1,
                429,
                "Too Many Requests: retry after 3",
                Json.object().put("retry_after", 3));
        assertEquals("Too Many Requests: retry after 3", caller.error("sendMessage", to(chat, "1")));
        advance(1_000);
        assertEquals("Too Many Requests: retry after 2", caller.error("sendMessage", to(chat, "1")));
        assertEquals(1, fake.violations().size());
        advance(2_000);
        send("1");
    }

    @Test
    void anOutageIsA502WithoutJson() throws Exception {
        fake.outage();
        var answer = caller.raw("sendMessage", to(chat, "one"));
        assertEquals(502, answer.statusCode());
        assertTrue(answer.body().startsWith("<html>"));
        fake.outageEnds();
        send("one");
    }

    @Test
    void rejectsMessagesToUnreachableChats() throws Exception {
        assertEquals("Bad Request: chat not found", caller.error("sendMessage", "{'chat_id':99,'text':'x'}"));
        assertEquals("Bad Request: chat_id is empty", caller.error("sendMessage", "{'text':'x'}"));
        fake.user(8, "Bob");
        assertEquals(
                "Forbidden: bot can't initiate conversation with a user",
                caller.error("sendMessage", "{'chat_id':8,'text':'x'}"));
        chat.blocks();
        assertEquals("Forbidden: bot was blocked by the user", caller.error("sendMessage", to(chat, "x")));
        chat.unblocks();
        send("x");
        Chat group = bot.group("Group", alice);
        group.kicks(bot);
        assertEquals("Forbidden: bot was kicked from the group chat", caller.error("sendMessage", to(group, "x")));
        assertEquals(
                List.of("kicked", "member", "kicked"),
                bot.updates().stream()
                        .map(update ->
                                update.body().at("/new_chat_member/status").asText())
                        .toList());
    }

    @Test
    void aGroupThatMigratedNamesItsNewId() throws Exception {
        // Given
        Chat group = bot.group("Group", alice);
        Chat supergroup = group.migrates();

        // When
        JsonNode answer = caller.call("sendMessage", to(group, "x"));

        // Then
        assertEquals(
                "Bad Request: group chat was upgraded to a supergroup chat",
                answer.path("description").asText());
        assertEquals(
                supergroup.id(), answer.at("/parameters/migrate_to_chat_id").asLong());
        caller.result("sendMessage", to(supergroup, "x"));
        assertEquals(
                supergroup.id(),
                bot.updates().get(0).body().path("migrate_to_chat_id").asLong());
        assertEquals(
                group.id(),
                bot.updates().get(1).body().path("migrate_from_chat_id").asLong());
    }

    @Test
    void rejectsUnknownAndClosedTopics() throws Exception {
        Chat forum = bot.forum("Forum", alice);
        int thread = forum.topic("Plans");
        String message = "{'chat_id':" + forum.id() + ",'text':'x','message_thread_id':";
        assertEquals(
                thread,
                caller.result("sendMessage", message + thread + "}")
                        .path("message_thread_id")
                        .asInt());
        assertEquals("Bad Request: message thread not found", caller.error("sendMessage", message + "1}"));
        assertEquals("Bad Request: message thread not found", caller.error("sendMessage", message + "99}"));
        forum.closeTopic(thread);
        assertEquals("Bad Request: TOPIC_CLOSED", caller.error("sendMessage", message + thread + "}"));
    }

    @Test
    void rejectsRepliesToUnknownMessagesUnlessOptional() throws Exception {
        Update update = chat.says("hello");
        String message = "{'chat_id':7,'text':'x','reply_parameters':{'message_id':";
        caller.result("sendMessage", message + update.messageId() + "}}");
        assertEquals(update.messageId(), chat.answers().getFirst().replyTo());
        assertEquals("Bad Request: message to be replied not found", caller.error("sendMessage", message + "99}}"));
        caller.result("sendMessage", message + "99,'allow_sending_without_reply':true}}");
        assertEquals(0, chat.answers().getLast().replyTo());
    }

    @Test
    void measuresTextsWithoutTheirMarkup() throws Exception {
        assertEquals("Bad Request: message text is empty", caller.error("sendMessage", to(chat, "")));
        assertEquals("Bad Request: text must be non-empty", caller.error("sendMessage", to(chat, " \u200b ")));
        assertEquals("Bad Request: message is too long", caller.error("sendMessage", to(chat, "x".repeat(4_097))));
        send("😀".repeat(4_096));
        assertEquals("Bad Request: text is too long", caller.error("sendMessage", to(chat, "x".repeat(32_769))));
        caller.result("sendMessage", "{'chat_id':7,'parse_mode':'HTML','text':'" + "<b>x</b>".repeat(4_000) + "'}");
        assertEquals(1, chat.answers().getLast().entities().size());
    }

    @Test
    void aButtonCanBePressedAndAnsweredOnce() throws Exception {
        String keyboard = ",'reply_markup':{'inline_keyboard':[[{'text':'Yes','callback_data':'%s'}]]}}";
        String message = "{'chat_id':7,'text':'ok?'" + keyboard;
        assertEquals(
                "Bad Request: BUTTON_DATA_INVALID", caller.error("sendMessage", message.formatted("é".repeat(33))));
        caller.result("sendMessage", message.formatted("y1"));
        Message sent = chat.answers().getFirst();
        assertEquals(List.of("Yes"), sent.buttons());
        Update press = chat.presses(sent, "Yes");
        assertEquals("y1", press.body().path("data").asText());
        assertEquals(sent.id(), press.messageId());
        String answer = "{'callback_query_id':'" + press.body().path("id").asText() + "'}";
        caller.result("answerCallbackQuery", answer);
        assertEquals(
                "Bad Request: query is too old and response timeout expired or query ID is invalid",
                caller.error("answerCallbackQuery", answer));
        caller.result("editMessageText", "{'chat_id':7,'message_id':" + sent.id() + ",'text':'done'}");
        assertNull(chat.message(sent.id()).keyboard());
    }

    @Test
    void acceptsFilesAsMultipart() throws Exception {
        String body = "--B\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n7\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\nsehr schön\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"document\"; filename=\"a.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\nline\r\nline\r\n--B--\r\n";
        var request = HttpRequest.newBuilder(URI.create(fake.url() + "/bot123:TOKEN/sendDocument"))
                .header("Content-Type", "multipart/form-data; boundary=B")
                .POST(BodyPublishers.ofString(body))
                .build();
        assertEquals(200, client.send(request, BodyHandlers.ofString()).statusCode());
        Message sent = chat.answers().getFirst();
        assertEquals("sehr schön", sent.text());
        assertEquals("a.txt", sent.file().name());
        assertEquals("line\r\nline", new String(sent.file().bytes(), StandardCharsets.UTF_8));
        String resend = "{'chat_id':7,'document':'" + sent.file().id() + "'}";
        assertEquals(
                "a.txt",
                caller.result("sendDocument", resend).at("/document/file_name").asText());
        assertEquals(
                "Bad Request: there is no text in the message to edit",
                caller.error("editMessageText", "{'chat_id':7,'message_id':" + sent.id() + ",'text':'x'}"));
    }

    @Test
    void rejectsPhotosOfInvalidDimensions() throws Exception {
        assertEquals(200, photo(100, 100).statusCode());
        assertEquals(
                List.of(true, true, true),
                List.of(photo(6_000, 6_000), photo(1, 100), photo(0, 5)).stream()
                        .map(answer -> answer.body().contains("Bad Request: PHOTO_INVALID_DIMENSIONS"))
                        .toList());
    }

    private HttpResponse<String> photo(int width, int height) throws Exception {
        var body = ByteBuffer.allocate(400)
                .put(("--B\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n7\r\n"
                                + "--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n"
                                + "Content-Type: image/png\r\n\r\n\u0089PNG\r\n\u001a\n\0\0\0\rIHDR")
                        .getBytes(StandardCharsets.ISO_8859_1))
                .putInt(width)
                .putInt(height)
                .put("\r\n--B--\r\n".getBytes(StandardCharsets.ISO_8859_1))
                .flip();
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        var request = HttpRequest.newBuilder(URI.create(fake.url() + "/bot123:TOKEN/sendPhoto"))
                .header("Content-Type", "multipart/form-data; boundary=B")
                .POST(BodyPublishers.ofByteArray(bytes))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @Test
    void keepsCommandsByScopeAndRejectsInvalidOnes() throws Exception {
        String commands = "'commands':[{'command':'new','description':'Begin anew'}]";
        caller.result("setMyCommands", "{" + commands + "}");
        caller.result("setMyCommands", "{" + commands + ",'scope':{'type':'all_group_chats'}}");
        assertEquals(
                "new", caller.result("getMyCommands", "{}").at("/0/command").asText());
        assertEquals("new", bot.commands("all_group_chats", "").at("/0/command").asText());
        assertEquals(
                "Bad Request: BOT_COMMAND_INVALID",
                caller.error("setMyCommands", "{'commands':[{'command':'New','description':'x'}]}"));
    }

    @Test
    void rejectsInvalidTokensMethodsAndTypes() throws Exception {
        assertEquals("Not Found: method not found", caller.error("sendNothing", "{}"));
        assertEquals(
                "Bad Request: parameter \"message_id\" must be an integer",
                caller.error("deleteMessage", "{'chat_id':7,'message_id':'x'}"));
        assertEquals(
                "Bad Request: wrong parameter action in request",
                caller.error("sendChatAction", "{'chat_id':7,'action':'sleep'}"));
        caller.result("SENDCHATACTION", "{'chat_id':7,'action':'typing','mood':'good'}");
        assertEquals("typing", chat.actions().getFirst().detail());
        assertEquals(1, fake.oddities().size());
        fake.revoke("123:TOKEN");
        assertEquals("Unauthorized", caller.error("getMe", "{}"));
    }

    @Test
    void rejectsUnlistedReactions() throws Exception {
        int id = chat.says("hello").messageId();
        String react = "{'chat_id':7,'message_id':" + id + ",'reaction':[{'type':'emoji','emoji':'%s'}]}";
        caller.result("setMessageReaction", react.formatted("👀"));
        assertEquals("👀", chat.message(id).reaction());
        assertEquals("Bad Request: REACTION_INVALID", caller.error("setMessageReaction", react.formatted("🧪")));
    }

    @Test
    void rejectsMixedAndOversizedAlbums() throws Exception {
        String photo = "{'type':'photo','media':'"
                + fake.keep("photos", "a.jpg", "image/jpeg", new byte[] {1}).id() + "'}";
        String album = "{'chat_id':7,'media':[%s]}";
        assertEquals("Bad Request: there are no messages to send", caller.error("sendMediaGroup", album.formatted("")));
        assertEquals(
                "Bad Request: too many messages to send as an album",
                caller.error(
                        "sendMediaGroup",
                        album.formatted(
                                String.join(",", List.of(photo.repeat(11).split("(?<=})"))))));
        assertEquals(
                "Bad Request: document can't be mixed with other media types",
                caller.error("sendMediaGroup", album.formatted(photo + "," + photo.replace("photo'", "document'"))));
        assertEquals(List.of(), chat.answers());
        JsonNode sent = caller.result("sendMediaGroup", album.formatted(photo + "," + photo));
        assertEquals(2, chat.answers().size());
        assertEquals(sent.at("/0/media_group_id"), sent.at("/1/media_group_id"));
    }

    @Test
    void historyListsAllEventsInOrder() throws Exception {
        // When
        Update update = chat.says("hello");
        int id = send("one");
        caller.result("sendChatAction", "{'chat_id':7,'action':'typing'}");
        caller.result("editMessageText", "{'chat_id':7,'message_id':" + id + ",'text':'two'}");
        chat.edits(update.messageId(), "hello you");
        caller.result("deleteMessage", "{'chat_id':7,'message_id':" + id + "}");

        // Then
        assertEquals(
                List.of(
                        Event.Kind.SAID,
                        Event.Kind.SENT,
                        Event.Kind.ACTION,
                        Event.Kind.EDITED,
                        Event.Kind.SAID_EDITED,
                        Event.Kind.DELETED),
                chat.history().stream().map(Event::kind).toList());
        assertEquals("hello you", bot.updates().getLast().body().path("text").asText());
        assertEquals("edited_message", bot.updates().getLast().kind());
    }

    @Test
    void typingHasLimitsOfItsOwn() throws Exception {
        fake.limits(Limits.TELEGRAM);
        for (int i = 0; i < 20; i++) {
            caller.result("sendChatAction", "{'chat_id':7,'action':'typing'}");
        }
        assertEquals(
                "Too Many Requests: retry after 5", caller.error("sendChatAction", "{'chat_id':7,'action':'typing'}"));
        send("still possible");
        assertEquals(List.of(), fake.violations());
    }

    @Test
    void concurrentMessagesGetDistinctIds() {
        var sends = IntStream.range(0, 20)
                .mapToObj(i -> caller.later("sendMessage", to(chat, "n" + i)))
                .toList();
        sends.forEach(CompletableFuture::join);
        assertEquals(
                IntStream.rangeClosed(1, 20).boxed().toList(),
                chat.answers().stream().map(Message::id).toList());
    }

    @Test
    void markupBeyondAHundredEntitiesIsLost() throws Exception {
        caller.result("sendMessage", "{'chat_id':7,'parse_mode':'HTML','text':'" + "<b>x</b> ".repeat(101) + "'}");
        assertEquals(100, chat.answers().getFirst().entities().size());
    }
}
