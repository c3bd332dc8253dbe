package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.testkit.discord.FakeDiscord;
import dev.parley.platform.testkit.discord.FakeDiscord.Chat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel contract for Discord. */
class DiscordChannelIT extends SendingChannelContract {
    private static final String TOKEN = "MjAwMDAwMDAw.Gabcde.contract-token_0123456789";
    private static final String MESSAGES = "/channels/\\d+/messages";
    private static final ObjectMapper JSON = new ObjectMapper();

    private FakeDiscord discord;
    private long people = 400_000_000_000_000_000L;

    @Override
    String begin(Path folder) throws IOException {
        discord = new FakeDiscord(TOKEN);
        Files.writeString(folder.resolve("token"), TOKEN);
        return "discord: [{ token: \"file:%s/token\", apiUrl: \"%s\", allowAll: true }]"
                .formatted(folder, discord.url());
    }

    @Override
    void connected(Api api) {
        Awaitility.await().atMost(SOON).until(discord.gateway()::isOnline);
    }

    @Override
    void end() {
        discord.close();
    }

    @AfterEach
    void nothingWasSentTooEarly() {
        assertEquals(List.of(), discord.tooFast());
    }

    @Override
    Closable conversation() {
        String person = Long.toString(++people);
        Chat chat = discord.privately(person);
        return new Closable() {
            private long event;

            @Override
            public String session() {
                return "discord:@" + person;
            }

            @Override
            public Runnable says(String text) {
                JsonNode message = chat.says(text);
                event = discord.gateway().last();
                return () -> chat.again(message);
            }

            @Override
            public void awaitNotTaken() {
                long before = discord.gateway().heartbeats()[0];
                Awaitility.await().atMost(SOON).until(() -> discord.gateway().heartbeats()[0] > before + 2);
                assertTrue(discord.gateway().heartbeats()[1] < event);
            }

            @Override
            public void comesAgain() {
                // unstored messages are kept, and fetched after a crash
            }

            @Override
            public List<String> shown() {
                return chat.texts();
            }

            @Override
            public void closes() {
                chat.closes();
            }
        };
    }

    @Override
    void failsNext(int times, int status, String message) {
        discord.failNext(
                times,
                "POST",
                MESSAGES,
                status,
                JSON.createObjectNode().put("message", message).put("code", 0).toString());
    }

    @Override
    void isTooFast(Duration wait) {
        String body = JSON.createObjectNode()
                .put("message", "You are being rate limited.")
                .put("retry_after", wait.toMillis() / 1e3)
                .put("global", false)
                .toString();
        discord.failNext(1, "POST", MESSAGES, 429, body);
    }

    @Override
    void cutsNext() {
        discord.cutNext("POST", MESSAGES);
    }

    @Override
    String secret() {
        return TOKEN;
    }

    @Test
    @Tag("B230")
    void fileInDoubtIsRepeatedUntilItIsThereOnce() {
        // Given
        Closable ann = conversation();
        Chat chat = discord.privately(ann.session().substring("discord:@".length()));
        String table = "| item | text |\\n|---|---|\\n" + "| one | some words about it |\\n".repeat(400);
        discord.failNext(1, "POST", MESSAGES + FakeDiscord.WITH_FILE, 503, "{}");
        discord.cutNext("POST", MESSAGES + FakeDiscord.WITH_FILE);

        // When
        ann.says("!say " + table);
        ann.says("!say after");

        // Then
        Awaitility.await().atMost(SOON).until(() -> ann.shown().contains("after"));
        assertEquals(
                List.of("", "table.csv", ""),
                chat.answers().stream()
                        .map(answer -> answer.path("attachments")
                                .path(0)
                                .path("filename")
                                .asText())
                        .toList(),
                ann.shown()::toString);
    }

    @Test
    @Tag("B230")
    void messageWhoseResponseWasLostIsRepeatedOnceAfterARestart() {
        // Given
        Closable ann = conversation();
        ann.says("!say before");
        awaitShown(ann, List.of("before"));
        int before = discord.calls("POST", MESSAGES).size();
        discord.cutNext("POST", MESSAGES);
        discord.failNext(3, "POST", MESSAGES, 503, "{}");

        // When
        ann.says("!say only once");
        Awaitility.await()
                .atMost(SOON)
                .until(() -> discord.calls("POST", MESSAGES).size() > before + 1);
        whole.instance().close();
        Instance restarted = whole.servers().start("one");
        whole = new Whole(whole.servers(), restarted, Api.of(restarted));
        api = whole.api();

        // Then
        awaitShown(ann, List.of("before", "only once"));
        ann.says("!say after");
        awaitShown(ann, List.of("before", "only once", "after"));
    }

    @Test
    @Tag("P64")
    void answersMessagesThatArrivedDuringAnOutage() {
        // Given
        Conversation ann = conversation();
        ann.says("!say before");
        awaitShown(ann, List.of("before"));
        Chat guild = discord.channel();
        String mention = "<@" + FakeDiscord.BOT + "> ";

        // When
        whole.instance().close();
        discord.gateway().forgetSession();
        ann.says("!say one");
        ann.says("!say two");
        guild.says("7", mention + "are you there?", JSON.createObjectNode());
        Instance restarted = whole.servers().start("one");
        whole = new Whole(whole.servers(), restarted, Api.of(restarted));
        api = whole.api();

        // Then
        awaitShown(ann, List.of("before", "one", "two"));
        Awaitility.await().atMost(SOON).until(() -> guild.answers().size() == 1);
        Awaitility.await().atMost(SOON).until(() -> turns(ann).size() == 3);
    }
}
