package dev.parley.platform.testkit.telegram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FakeTelegramReceivingTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private FakeTelegram fake;
    private Bot bot;
    private User alice;
    private Chat chat;
    private Caller caller;

    @BeforeEach
    void start() throws IOException {
        fake = new FakeTelegram();
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

    private static List<String> texts(JsonNode updates) {
        return updates.findValuesAsText("text");
    }

    @Test
    void offsetDropsOlderUpdates() throws Exception {
        Update first = chat.says("one");
        chat.says("two");
        assertEquals(List.of("one", "two"), texts(caller.result("getUpdates", "{}")));
        assertEquals(List.of("one"), texts(caller.result("getUpdates", "{'limit':1}")));
        assertEquals(List.of("two"), texts(caller.result("getUpdates", "{'offset':" + (first.id() + 1) + "}")));
        assertEquals(List.of("two"), texts(caller.result("getUpdates", "{'offset':0}")));
        assertEquals(1, bot.pending().size());
    }

    @Test
    void negativeOffsetKeepsTheLastUpdates() throws Exception {
        chat.says("one");
        chat.says("two");
        assertEquals(List.of("two"), texts(caller.result("getUpdates", "{'offset':-1}")));
        assertEquals(List.of("two"), texts(caller.result("getUpdates", "{}")));
    }

    @Test
    void offsetFarAheadDropsNothing() throws Exception {
        Update update = chat.says("one");
        assertEquals(List.of("one"), texts(caller.result("getUpdates", "{'offset':" + (update.id() + 1_000) + "}")));
    }

    @Test
    void aPollWaitsForAnUpdate() throws Exception {
        var poll = caller.later("getUpdates", "{'timeout':30}");
        bot.awaitPoll(SOON);
        chat.says("hello");
        assertEquals(List.of("hello"), texts(poll.get(10, TimeUnit.SECONDS)));
    }

    @Test
    void theOlderOfTwoWaitingPollsIsEnded() throws Exception {
        // Given
        var older = caller.later("getUpdates", "{'timeout':30}");
        bot.awaitPoll(SOON);

        // When
        var newer = caller.later("getUpdates", "{'timeout':30}");

        // Then
        JsonNode response = older.get(10, TimeUnit.SECONDS);
        assertEquals(409, response.path("error_code").asInt());
        assertEquals(
                "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                response.path("description").asText());
        bot.awaitPoll(SOON);
        chat.says("hello");
        assertEquals(List.of("hello"), texts(newer.get(10, TimeUnit.SECONDS)));
    }

    @Test
    void redeliveredUpdateArrivesAgainDespiteConfirmation() throws Exception {
        Update update = chat.says("one");
        String next = "{'offset':" + (update.id() + 1) + "}";
        assertEquals(List.of(), texts(caller.result("getUpdates", next)));
        bot.redeliver(update);
        JsonNode repeated = caller.result("getUpdates", next);
        assertEquals(update.json().toString(), repeated.get(0).toString());
        assertEquals(List.of(), texts(caller.result("getUpdates", next)));
    }

    @Test
    void filtersUpdatesByAllowedKinds() throws Exception {
        caller.result("getUpdates", "{'allowed_updates':['edited_message','nonsense']}");
        Update update = chat.says("one");
        chat.edits(update.messageId(), "two");
        JsonNode updates = caller.result("getUpdates", "{}");
        assertEquals(1, updates.size());
        assertEquals("two", updates.at("/0/edited_message/text").asText());
    }

    @Test
    void aRawUpdateIsDeliveredAsItIs() throws Exception {
        bot.inject(Json.parse("{\"update_id\":5,\"subscription\":{\"x\":1}}"));
        assertEquals(
                1, caller.result("getUpdates", "{}").at("/0/subscription/x").asInt());
    }

    @Test
    void aWebhookGetsTheSecretAndRefusesPolls() throws Exception {
        try (var hook = new HttpDouble().answers(HttpDouble.json(200, "{}"))) {
            var poll = caller.later("getUpdates", "{'timeout':30}");
            bot.awaitPoll(SOON);
            JsonNode set = caller.call("setWebhook", "{'url':'" + hook.url() + "/in','secret_token':'s3cret_-'}");
            assertEquals("Webhook was set", set.path("description").asText());
            assertEquals(
                    "Conflict: terminated by setWebhook request",
                    poll.get(10, TimeUnit.SECONDS).path("description").asText());
            chat.says("hello");
            fake.await(() -> bot.pending().isEmpty(), SOON, () -> "deliveries " + bot.deliveries());
            assertEquals("s3cret_-", hook.seen().getFirst().header("X-Telegram-Bot-Api-Secret-Token"));
            assertEquals(
                    "hello", Json.parse(hook.lastBody()).at("/message/text").asText());
            assertEquals(
                    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
                    caller.error("getUpdates", "{}"));
            assertEquals(
                    "Webhook was deleted",
                    caller.call("deleteWebhook", "{}").path("description").asText());
        }
    }

    @Test
    void webhookDeliversPerChatInOrderAndOtherChatsMeanwhile() throws Exception {
        // Given
        var release = new CountDownLatch(1);
        try (var hook = new HttpDouble()) {
            hook.answers(
                    exchange -> {
                        release.await();
                        exchange.sendResponseHeaders(500, -1);
                    },
                    HttpDouble.json(200, "{}"),
                    HttpDouble.json(200, "{}"),
                    HttpDouble.json(200, "{}"));
            caller.result("setWebhook", "{'url':'" + hook.url() + "'}");

            // When
            Update first = chat.says("one");
            awaitRequests(hook, 1);
            chat.says("two");
            Update other = bot.chat(fake.user(8, "Bob")).says("other");
            fake.await(() -> delivered(other), SOON, () -> "deliveries " + bot.deliveries());
            release.countDown();
            fake.await(() -> bot.pending().isEmpty(), SOON, () -> "deliveries " + bot.deliveries());

            // Then
            assertEquals(
                    List.of("one", "other", "one", "two"),
                    hook.seen().stream()
                            .map(request -> Json.parse(request.body())
                                    .at("/message/text")
                                    .asText())
                            .toList());
            assertEquals(
                    List.of(500, 200),
                    bot.deliveries().stream()
                            .filter(d -> d.update() == first)
                            .map(Delivery::status)
                            .toList());
            assertTrue(caller.result("getWebhookInfo", "{}").has("last_error_message"));
        }
    }

    private boolean delivered(Update update) {
        return bot.deliveries().stream().anyMatch(d -> d.update() == update && d.taken());
    }

    private static void awaitRequests(HttpDouble hook, int count) {
        org.awaitility.Awaitility.await().atMost(SOON).until(() -> hook.seen().size() >= count);
    }

    @Test
    void rejectsInvalidWebhooks() throws Exception {
        assertEquals(
                "Bad Request: secret token contains unallowed characters",
                caller.error("setWebhook", "{'url':'https://a.example','secret_token':'a b'}"));
        assertEquals("Bad Request: invalid webhook URL specified", caller.error("setWebhook", "{'url':'nonsense'}"));
        fake.httpsOnly(true);
        assertEquals(
                "Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
                caller.error("setWebhook", "{'url':'http://a.example'}"));
    }

    @Test
    void aFileThatAPersonSentCanBeDownloaded() throws Exception {
        // Given
        byte[] bytes = {1, 2, 3};
        chat.sendsVoice(bytes, 2);

        // When
        String id =
                caller.result("getUpdates", "{}").at("/0/message/voice/file_id").asText();
        String path = caller.result("getFile", "{'file_id':'" + id + "'}")
                .path("file_path")
                .asText();
        var request = HttpRequest.newBuilder(URI.create(fake.url() + "/file/bot123:TOKEN/" + path))
                .build();

        // Then
        assertArrayEquals(
                bytes, client.send(request, BodyHandlers.ofByteArray()).body());
        assertEquals("Bad Request: invalid file_id", caller.error("getFile", "{'file_id':'nothing'}"));
    }

    @Test
    void anAlbumIsSeveralMessagesOfOneGroup() throws Exception {
        chat.sendsAlbum("both", new byte[] {1}, new byte[] {2});
        JsonNode updates = caller.result("getUpdates", "{}");
        assertEquals(2, updates.size());
        assertEquals(1, Set.copyOf(updates.findValuesAsText("media_group_id")).size());
        assertEquals(List.of("both"), updates.findValuesAsText("caption"));
    }

    @Test
    void aTopicsMessageCarriesItsThreadAndTheTopicsFirstMessage() throws Exception {
        // Given
        Chat forum = bot.forum("Forum", alice);
        int thread = forum.topic("Plans");

        // When
        forum.in(thread).says("/start@parley_bot now");
        JsonNode message = caller.result("getUpdates", "{}").at("/1/message");

        // Then
        assertEquals(thread, message.path("message_thread_id").asInt());
        assertTrue(message.path("is_topic_message").asBoolean());
        assertEquals(
                "Plans",
                message.at("/reply_to_message/forum_topic_created/name").asText());
        assertEquals("bot_command", message.at("/entities/0/type").asText());
        assertEquals(17, message.at("/entities/0/length").asInt());
    }

    @Test
    void botsOfAGroupGetMessagesWithDifferentUpdateIds() throws Exception {
        Chat group = bot.group("Group", alice);
        Bot other = fake.bot("456:OTHER", "other_bot");
        group.adds(other);
        group.says("hello");
        assertEquals("hello", bot.updates().getLast().body().path("text").asText());
        assertEquals("hello", other.updates().getLast().body().path("text").asText());
        assertFalse(bot.updates().getLast().id() == other.updates().getLast().id());
    }

    @Test
    void anOutageEndsAPollThatWaits() throws Exception {
        var poll = client.sendAsync(
                HttpRequest.newBuilder(URI.create(fake.url() + "/bot123:TOKEN/getUpdates?timeout=30"))
                        .build(),
                BodyHandlers.ofString());
        bot.awaitPoll(SOON);
        fake.outage();
        assertEquals(502, poll.get(10, TimeUnit.SECONDS).statusCode());
        fake.outageEnds();
        assertEquals(0, caller.result("getUpdates", "{}").size());
    }

    @Test
    void webhookGetsPendingUpdatesUnlessTheyAreDropped() throws Exception {
        chat.says("one");
        try (var hook = new HttpDouble().answers(HttpDouble.json(200, "{}"))) {
            caller.result("setWebhook", "{'url':'" + hook.url() + "'}");
            fake.await(() -> bot.pending().isEmpty(), SOON, () -> "deliveries " + bot.deliveries());
            caller.result("deleteWebhook", "{}");
            chat.says("two");
            chat.says("three");
            caller.result("setWebhook", "{'url':'" + hook.url() + "','drop_pending_updates':true}");
            assertEquals(0, bot.pending().size());
            assertEquals(1, hook.seen().size());
        }
    }
}
