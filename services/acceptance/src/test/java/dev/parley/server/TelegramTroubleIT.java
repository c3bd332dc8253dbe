package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import dev.parley.platform.testkit.telegram.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The complete server process with errors of Telegram and malformed updates. */
class TelegramTroubleIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** Five minutes are tried by hand: {@code -Dparley.outage=PT5M}. */
    private static final Duration OUTAGE = Duration.parse(System.getProperty("parley.outage", "PT12S"));

    private static final String TOKEN = "123456:AAtrouble-token_0123456789";
    private static final String REVOKED = "777777:AArevoked-token_0123456789";
    private static final String RENEWED = "777777:BBrenewed-token_0123456789";

    @TempDir
    static Path folder;

    private static FakeTelegram telegram;
    private static Bot bot;
    private static Bot doomed;
    private static Instance instance;
    private static Api api;
    private static long people = 1_000;

    private final Chat chat = bot.chat(telegram.user(++people, "Ann"));

    @BeforeAll
    static void start() throws IOException {
        telegram = new FakeTelegram();
        telegram.limits(Limits.TELEGRAM);
        bot = telegram.bot(TOKEN, "parley_bot");
        doomed = telegram.bot(REVOKED, "doomed_bot");
        Files.writeString(folder.resolve("token"), TOKEN);
        Files.writeString(folder.resolve("doomed"), REVOKED);
        Files.writeString(folder.resolve("parley.yml"), """
                telegram:
                  - { name: telegram, token: "file:%1$s/token", apiUrl: "%2$s", allowAll: true }
                  - { name: doomed, token: "file:%1$s/doomed", apiUrl: "%2$s", allowAll: true }
                agents:
                  - { name: default, limits: { maxQueued: 10 } }
                """.formatted(folder, telegram.url()));
        instance = Instances.start(folder.resolve("data"));
        api = Api.of(instance);
        bot.awaitPoll(SOON);
        doomed.awaitPoll(SOON);
    }

    @AfterAll
    static void stop() {
        instance.close();
        telegram.close();
    }

    @AfterEach
    void nothingWasSentTooEarly() {
        assertEquals(List.of(), telegram.violations());
    }

    private static List<String> answers(Chat chat) {
        return chat.answers().stream().map(Message::text).toList();
    }

    private static int turns(Chat chat) {
        JsonNode turns =
                api.get("/v1/sessions/telegram:" + chat.id() + "/turns").json();
        return turns.path("data").size();
    }

    private static JsonNode state(String name) {
        return Stream.of(api.get("/v1/bots").json().path("data"))
                .flatMap(JsonNode::valueStream)
                .filter(row -> row.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("P49")
    @Tag("O1")
    void anOutageLosesNothingAndDoublesNothing() {
        // Given
        chat.says("!say before");
        chat.awaitAnswer("before", SOON);
        chat.says("!delay 2s\n!say first");
        Awaitility.await().atMost(SOON).until(() -> turns(chat) == 2);

        // When
        telegram.outage(OUTAGE);
        chat.says("!say second");
        chat.says("!say third");

        // Then
        chat.awaitAnswer("third", OUTAGE.plus(SOON).plus(SOON));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> answers(chat), List.of("before", "first", "second", "third")::equals);
        Awaitility.await().atMost(SOON).until(() -> turns(chat) == 4);
    }

    @Test
    @Tag("P42")
    void malformedUpdatesDoNotBlockOthers() throws IOException {
        // Given
        var json = new ObjectMapper();
        String hostile =
                "{\"message_id\":999,\"date\":1,\"chat\":{\"id\":%d,\"type\":\"private\"},\"from\":{\"id\":%d,\"first_name\":\"\"}"
                        .formatted(chat.id(), chat.user().id());
        for (String update : List.of(
                "{}",
                "{\"message\":null}",
                "{\"message\":\"text\"}",
                "{\"message\":[]}",
                "{\"message\":{\"chat\":{\"id\":\"seven\"},\"text\":{}}}",
                "{\"message\":" + hostile
                        + ",\"text\":\"x\",\"entities\":[{\"type\":\"bot_command\",\"offset\":-5,\"length\":99999}]}}",
                "{\"message\":" + hostile
                        + ",\"document\":{\"file_id\":\"../../etc/passwd\",\"file_name\":\"../../\\u0000x\",\"file_size\":-1}}}",
                "{\"callback_query\":{\"id\":7,\"data\":\"\\u202e\\u0000\",\"message\":{}}}",
                "{\"unheard_of\":{\"a\":{\"b\":[1,2,{\"c\":null}]}}}",
                "{\"my_chat_member\":{\"chat\":7}}")) {
            bot.inject(json.readTree(update));
        }

        // When
        chat.says("!say still here");

        // Then
        chat.awaitAnswer("still here", SOON);
        telegram.await(() -> bot.pending().isEmpty(), SOON, () -> "not confirmed: " + bot.pending());
    }

    @Test
    @Tag("P48")
    void receivesAndSendsATextOfHundredKilobytes() throws IOException {
        // Given
        String lines = IntStream.range(0, 2_500)
                .mapToObj("line %d of a long text, \u200b\u202eturned\u202c"::formatted)
                .collect(Collectors.joining("\n"));
        ObjectNode update = chat.says("!say taken").json().deepCopy();
        update.remove("update_id");
        ObjectNode message = (ObjectNode) update.path("message");
        chat.awaitAnswer("taken", SOON);

        // When
        message.put("message_id", 1_000_000).put("text", "!say ```text\\n" + lines.replace("\n", "\\n") + "\\n```");
        bot.inject(update);

        // Then
        Awaitility.await().atMost(SOON).until(() -> chat.answers().stream().anyMatch(answer -> answer.file() != null));
        String sent = chat.answers().stream()
                .map(Message::file)
                .filter(Objects::nonNull)
                .map(file -> new String(file.bytes(), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
        String readable = lines.replaceAll("[\\u202e\\u202c]", ""); // they would reverse the following text
        assertEquals("```text\n" + readable + "\n```", sent.strip());
    }

    @Test
    @Tag("P49")
    void reportsARevokedTokenAndUsesItsReplacement() throws IOException {
        // Given
        Chat theirs = doomed.chat(telegram.user(++people, "Bob"));
        theirs.says("!say before");
        theirs.awaitAnswer("before", SOON);
        assertTrue(state("doomed").path("problem").isNull());

        // When
        telegram.revoke(REVOKED);

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> state("doomed").path("problem").asText().contains("token"));
        assertEquals(200, api.get("/health/ready").status(), "the others go on");
        assertTrue(api.get("/prometheus").text().contains("parley_channel_up{bot=\"doomed\"} 0.0"));
        assertTrue(api.get("/prometheus").text().contains("parley_channel_up{bot=\"telegram\"} 1.0"));

        // And when
        Bot renewed = telegram.bot(RENEWED, "doomed_bot");
        Files.writeString(folder.resolve("doomed"), RENEWED);

        // Then
        Chat after = renewed.chat(telegram.user(++people, "Bea"));
        after.says("!say after");
        after.awaitAnswer("after", SOON);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> state("doomed").path("problem").isNull());
    }

    @Test
    @Tag("O11")
    void reportsAFullQueue() {
        chat.says("!delay 20s\n!say first");
        Awaitility.await().atMost(SOON).until(() -> turns(chat) == 1);

        for (int i = 0; i < 15; i++) {
            chat.says("!say " + i);
        }

        chat.awaitAnswer(message -> message.text().startsWith("Too much waits"), SOON);
        chat.says("/new"); // leaves no open turn
    }

    @Test
    @Tag("O11")
    void reportsTheRateLimit() {
        // Given
        String limit = "{\"turnsPerMinute\":1}";
        assertEquals(
                200, api.send("PUT", "/v1/settings/budget", limit, Map.of()).status());

        // When
        chat.says("!say one");
        chat.says("!say two");

        // Then
        chat.awaitAnswer(message -> message.text().startsWith("That was too much at once"), SOON);
        chat.awaitAnswer("one", SOON);
        assertEquals(204, api.delete("/v1/settings/budget").status());
        Awaitility.await().atMost(SOON).until(() -> turns(chat) == 1);
    }

    @Test
    @Tag("I45")
    void archivedSessionRejectsMessagesUntilReopened() {
        // Given
        chat.says("My name is Ada");
        chat.awaitAnswer(message -> message.text().contains("your name is Ada."), SOON);
        String session = "/v1/sessions/telegram:" + chat.id();

        // When
        assertEquals(202, api.post(session + "/archive", Map.of()).status());
        chat.says("are you there?");

        // Then
        chat.awaitAnswer(message -> message.text().startsWith("This conversation is archived"), SOON);
        assertEquals(202, api.post(session + "/reopen", Map.of()).status());
        chat.says("what is my name?");
        chat.awaitAnswer("Your name is Ada.", SOON);
    }

    @Test
    @Tag("P42")
    void albumsAndSplitTextsBecomeOneTurn() {
        // Given
        Chat group = bot.supergroup("Group", chat.user());
        byte[] photo = {(byte) 0xff, (byte) 0xd8, (byte) 0xff, 1};
        telegram.slow(FakeTelegram.DOWNLOAD, Duration.ofMillis(700));

        // When
        try {
            group.sendsAlbum("@parley_bot please\n!say three", photo, photo, photo);
            group.awaitAnswer("three", SOON);
        } finally {
            telegram.slow(FakeTelegram.DOWNLOAD, Duration.ZERO);
        }
        String paste = "word ".repeat(800);
        chat.says("!say " + paste);
        chat.says("the end");

        // Then
        Awaitility.await().atMost(SOON).until(() -> turns(group) == 1 && turns(chat) == 1);
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            JsonNode messages = api.get("/v1/sessions/telegram:" + group.id() + "/messages?role=user")
                    .json();
            assertEquals(3, messages.findParents("sha256").size(), messages.toString());
        });
        chat.awaitAnswer(message -> message.text().contains("the end"), SOON);
    }

    @Test
    @Tag("P49")
    void listsFailedDeliveries() {
        // Given
        chat.says("!delay 10s\n!say are you there?");
        Awaitility.await().atMost(SOON).until(() -> turns(chat) == 1);

        // When
        chat.blocks();

        // Then
        String path = "/v1/bots/telegram/deliveries?chat=" + chat.id();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get(path).json().path("data").size() == 1);

        JsonNode receipt = api.get(path).json().path("data").path(0);
        assertEquals("failed", receipt.path("state").asText());
        assertTrue(receipt.path("detail").asText().contains("blocked"), receipt.toString());
        assertEquals(0, api.get(path + "&state=delivered").json().path("data").size());
        assertEquals(400, api.get(path + "&state=nonsense").status());
        assertEquals(404, api.get("/v1/bots/nobody/deliveries").status());
        assertEquals("telegram", state("telegram").path("kind").asText());
        assertFalse(state("telegram").path("owner").asText().isEmpty());
    }
}
