package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.slack.SlackChat;
import dev.parley.platform.testkit.slack.SlackChat.Sent;
import dev.parley.platform.testkit.slack.SlackMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed while it streams answers to Slack: in private, in a channel, and while a tool runs. */
class SlackKilledIT {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final String TOKEN = "xoxb-1-2-killed-token_0123456789";
    private static final String APP_TOKEN = "xapp-1-killed-token_0123456789";

    @TempDir
    private Path folder;

    private static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(SOON).until(condition::getAsBoolean);
    }

    private static SlackMessage only(SlackChat chat) {
        assertEquals(1, chat.answers().size(), chat.answers()::toString);
        return chat.answers().getFirst();
    }

    /** The answer of the turn of a message, which has ended. */
    private static String reply(Api api, String chat, Sent message) {
        String turns = "/v1/sessions/slack:%s:%s/turns".formatted(chat, message.time());
        JsonNode turn = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.get(turns).json().path("data").path(0),
                        found -> found.path("state").asText().equals("COMPLETED"));
        return turn.path("reply").asText().strip();
    }

    @Test
    @Tag("B199")
    void aKillDuringStreamsLeavesOneAnswerEachAndNoStreamOpen() throws IOException {
        // Given
        try (var slack = new FakeSlack(TOKEN, APP_TOKEN)) {
            slack.becomesAgent();
            Files.writeString(folder.resolve("token"), TOKEN);
            Files.writeString(folder.resolve("app-token"), APP_TOKEN);
            Path settings = Files.writeString(folder.resolve("parley.yml"), """
                    slack:
                      - token: "file:%1$s/token"
                        appToken: "file:%1$s/app-token"
                        apiUrl: %2$s
                        allowAll: true
                        agentView: true
                    """.formatted(folder, slack.api()));
            Path data = folder.resolve("data");
            Map<String, String> environment = Map.of("PARLEY_CONFIG", settings.toString());
            SlackChat ann = slack.direct(slack.user("Ann", "en-US"));
            SlackChat bob = slack.direct(slack.user("Bob", "en-US"));
            SlackChat locks = slack.channel("LOCKS", ann.user());
            List<SlackChat> chats = List.of(ann, bob, locks);
            Sent privately;
            Sent beside;
            Sent mention;

            try (ParleyProcess first = ParleyProcess.start(data, environment)) {
                await(() -> slack.connections() > 0);
                privately = ann.says("!stream 60 words over 15s");
                beside = bob.says("!call time {}\n!then\n!stream 60 words over 15s");
                mention = locks.mentions("please\n!stream 60 words over 15s", null);
                Awaitility.await()
                        .atMost(SOON)
                        .untilAsserted(() -> chats.forEach(chat -> {
                            assertTrue(slack.isStreaming(only(chat)), only(chat)::toString);
                            assertFalse(only(chat).text().isEmpty(), only(chat)::toString);
                        }));

                // When
                first.kill();
            }
            chats.forEach(chat -> assertTrue(slack.isStreaming(only(chat)), only(chat)::toString));
            try (ParleyProcess second = ParleyProcess.start(data, environment)) {

                // Then
                Map<SlackChat, String> replies = Map.of(
                        ann, reply(second.api(), ann.user(), privately),
                        bob, reply(second.api(), bob.user(), beside),
                        locks, reply(second.api(), locks.id(), mention));
                replies.forEach((chat, reply) -> await(() -> only(chat).text().equals(reply)));
                chats.forEach(chat -> assertFalse(slack.isStreaming(only(chat)), only(chat)::toString));
                await(() -> List.of(privately, beside, mention).stream()
                        .allMatch(message -> status(slack, message).equals("active")));
                assertEquals(List.of(), slack.violations());
            }
        }
    }

    /** The last status of the thread of a message. */
    private static String status(FakeSlack slack, Sent message) {
        return slack.calls("agents.sessions.setStatus").reversed().stream()
                .filter(call -> call.params().path("thread_ts").asText().equals(message.time()))
                .findFirst()
                .map(call -> call.params().path("status").asText())
                .orElse("none");
    }
}
