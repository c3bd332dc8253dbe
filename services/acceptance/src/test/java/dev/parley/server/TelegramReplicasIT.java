package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Call;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import dev.parley.platform.testkit.telegram.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes with the same bot; its owner is killed. With {@code -Dparley.crash.minutes=1} or more a long reply is
 * interrupted at each of its messages and edits.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TelegramReplicasIT {
    private static final boolean LONG = Long.getLong("parley.crash.minutes", 0) > 0;
    private static final String RICH = "234567:AArich-token_0123456789";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern PARAGRAPH = Pattern.compile("Paragraph (\\d+) has some words of its own\\.");
    private static final int PARAGRAPHS = 320;
    /** Number of messages of a reply with this many paragraphs. */
    private static final int PIECES = 4;

    @TempDir
    static Path folder;

    private static FakeTelegram telegram;
    private static Bot bot;
    private static Bot rich;
    private static Servers servers;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws IOException {
        String token = "123456:AAreplicated-token_0123456789";
        Files.writeString(folder.resolve("token"), token);
        telegram = new FakeTelegram();
        telegram.limits(Limits.TELEGRAM);
        telegram.knowDrafts();
        bot = telegram.bot(token, "parley_bot");
        rich = telegram.bot(RICH, "rich_bot");
        Files.writeString(folder.resolve("rich"), RICH);
        Files.writeString(folder.resolve("parley.yml"), """
                telegram:
                  - { token: "file:%1$s/token", apiUrl: "%2$s", allowAll: true, richMessages: false }
                  - { name: rich, token: "file:%1$s/rich", apiUrl: "%2$s", allowAll: true }
                """.formatted(folder, telegram.url()));
        servers = new Servers(folder);
        cluster = new Cluster(folder);
        cluster.startAll(List.of("one", "two"), servers, 1, Map.of());
    }

    @AfterAll
    static void stop() {
        cluster.close();
        servers.close();
        telegram.close();
    }

    @Test
    @Order(1) // both processes run
    @Tag("I145")
    @Tag("P41")
    void otherInstanceFollowsChangesOfABot() {
        // Given
        Bot first = telegram.bot("4711:first-token_0123456789", "first_bot");
        Bot second = telegram.bot("4712:second-token_0123456789", "second_bot");
        Api other = cluster.api(owner().equals("one") ? "two" : "one");
        String bots = "/v1/projects/default/bots";
        var request = new HashMap<String, Object>(
                Map.of("kind", "telegram", "token", first.token(), "url", telegram.url(), "allowAll", true));

        // When
        request.put("name", "made");
        Api.Answer created = other.post(bots, request);

        // Then
        assertEquals(201, created.status(), created.text());
        first.awaitPoll(SOON);
        Chat chat = first.chat(telegram.user(50, "Bob"));
        chat.says("!say hello");
        chat.awaitAnswer("hello", SOON);
        request.put("name", "twin");
        assertEquals("bot_account_taken", other.post(bots, request).code());

        // When
        request.remove("name");
        request.put("token", second.token());
        assertEquals(
                200,
                other.send("PUT", bots + "/made", request, Map.of("If-Match", created.etag()))
                        .status());

        // Then
        second.awaitPoll(SOON);
        Chat next = second.chat(telegram.user(51, "Cid"));
        next.says("!say with another token");
        next.awaitAnswer("with another token", SOON);

        // When
        assertEquals(204, other.delete(bots + "/made").status());

        // Then
        Awaitility.await().atMost(SOON).until(() -> {
            next.says("!say nobody hears this");
            return isLeft(second);
        });
    }

    /** Whether the message is not fetched within a second. */
    private static boolean isLeft(Bot bot) {
        try {
            Awaitility.await()
                    .during(Duration.ofSeconds(1))
                    .atMost(Duration.ofMillis(1_500))
                    .until(() -> !bot.pending().isEmpty());
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    @Test
    @Order(2) // both processes run
    @Tag("B189")
    void aKillBetweenOpeningWordsAndTheirRichMessageLeavesOneAnswer() {
        // Given
        Chat chat = rich.chat(telegram.user(50, "Ann"));
        rich.awaitPoll(SOON);
        telegram.holdAfter("editMessageText", 1);

        // When
        chat.says("!say # Tides of the lock");
        rich.awaitCall("editMessageText", call -> call.description().equals("held"), SOON);
        String owner = owner("rich");
        cluster.process(owner).kill();
        chat.says("!say after");

        // Then
        chat.awaitAnswer("after", SOON);
        assertEquals(
                List.of("# Tides of the lock", "after"),
                chat.answers().stream().map(Message::text).toList());
        cluster.startAgain(owner);
    }

    @Test
    @Tag("P7")
    @Tag("P41")
    @Tag("B189")
    void otherInstanceTakesOverWithoutLossOrRepetition() {
        // Given
        Chat chat = bot.chat(telegram.user(1, "Ann"));
        bot.awaitPoll(SOON);
        chat.says("!say before");
        chat.awaitAnswer("before", SOON);

        // When
        var update = chat.says("!delay 3s\n!say through it all");
        telegram.await(() -> chat.showsDraft() && bot.pending().isEmpty(), SOON, chat::toString);
        String owner = owner();
        cluster.process(owner).kill();
        Instant killed = Instant.now();
        int polls = bot.calls("getUpdates").size();
        bot.redeliver(update);
        bot.redeliver(update);
        telegram.await(() -> bot.calls("getUpdates").size() > polls, SOON, chat::toString);
        Duration failover = Duration.between(killed, Instant.now());
        chat.says("!say after");
        chat.awaitAnswer("after", SOON);
        cluster.startAgain(owner);

        // Then
        assertEquals(
                List.of("before", "through it all", "after"),
                finished(chat).map(Message::text).toList());
        assertTrue(failover.compareTo(Duration.ofSeconds(15)) < 0, "taken over after " + failover);
        Awaitility.await() // the views move, too
                .atMost(SOON)
                .until(() ->
                        cluster.api("one").list("/v1/sessions/telegram:1/turns").size() == 3);
    }

    @Test
    @Tag("P48")
    @Tag("P49")
    void longReplyResumesAndRepeatsAtMostOneMessage() {
        var counts = new ArrayList<String>();
        int chat = 100;
        for (String method : LONG ? List.of("sendMessage", "editMessageText") : List.of("sendMessage")) {
            for (int piece : LONG ? IntStream.rangeClosed(1, PIECES).toArray() : new int[] {2}) {
                counts.add(method + " " + piece + ": " + assertGoesOnAfterAKill(++chat, method, piece));
            }
        }
        System.out.println("long replies: messages too many, by the call that was under way: " + counts);
    }

    /** Kills the sender of a long reply during a call to Telegram; returns the number of repeated messages. */
    private long assertGoesOnAfterAKill(int number, String method, int call) {
        // Given
        Chat chat = bot.chat(telegram.user(number, "Ann"));
        bot.awaitPoll(SOON);
        telegram.holdAfter(method, call);

        // When
        chat.says("!say "
                + IntStream.range(0, PARAGRAPHS)
                        .mapToObj("Paragraph %d has some words of its own."::formatted)
                        .collect(Collectors.joining("\\n\\n")));
        bot.awaitCall(method, apiCall -> apiCall.description().equals("held") && isIn(chat, apiCall), SOON);
        String owner = owner();
        cluster.process(owner).kill();

        // Then
        chat.says("!say the end"); // no part of the reply follows
        chat.awaitAnswer("the end", SOON);
        List<Message> answers = chat.answers();
        assertTrue(
                isWhole(answers) || IntStream.range(0, answers.size()).anyMatch(i -> isWhole(without(answers, i))),
                () -> "not the whole reply, in order, and at most one message beside it: " + answers);
        Awaitility.await() // the fake shows a message before it answers the call
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(answers.size(), sentCount(chat)));
        long sends = sentCount(chat);
        assertTrue(sends <= PIECES + 2, sends + " messages of a reply in " + PIECES + " and the end");
        if (LONG) {
            cluster.startAgain(owner);
        }
        return sends - PIECES - 1;
    }

    /** The number of messages that Telegram has accepted for a chat. */
    private static long sentCount(Chat chat) {
        return bot.calls("sendMessage").stream()
                .filter(apiCall -> isIn(chat, apiCall) && !apiCall.result().isNull())
                .count();
    }

    private static boolean isIn(Chat chat, Call call) {
        return call.params().path("chat_id").asLong() == chat.id();
    }

    private static List<Message> without(List<Message> messages, int index) {
        var remaining = new ArrayList<>(messages);
        remaining.remove(index);
        return remaining;
    }

    /** Whether these messages have each paragraph once, in order. */
    private static boolean isWhole(List<Message> messages) {
        return messages.stream()
                .flatMap(message -> PARAGRAPH.matcher(message.text()).results())
                .map((MatchResult found) -> Integer.valueOf(found.group(1)))
                .toList()
                .equals(IntStream.range(0, PARAGRAPHS).boxed().toList());
    }

    /** The bot's messages that are not partial. */
    private static Stream<Message> finished(Chat chat) {
        return chat.answers().stream().filter(message -> !message.text().endsWith("…"));
    }

    /** The instance that owns the bot. */
    private static String owner() {
        return owner("telegram");
    }

    private static String owner(String bot) {
        Awaitility.await().atMost(SOON).until(() -> !instance(bot).isEmpty());
        return instance(bot);
    }

    private static String instance(String bot) {
        return cluster.api("one").list("/v1/bots").stream()
                .filter(row -> row.path("name").asText().equals(bot))
                .map(row -> row.path("owner").asText(""))
                .findFirst()
                .orElse("");
    }
}
