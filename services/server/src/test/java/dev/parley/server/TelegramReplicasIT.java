package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes with the same bot, one of which is killed. */
class TelegramReplicasIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    @Tag("P7")
    @Tag("P41")
    @Tag("O1")
    void theOtherOneGoesOnAndNothingIsLostOrDoubled() throws IOException {
        String token = "123456:AAreplicated-token_0123456789";
        Files.writeString(folder.resolve("token"), token);
        try (var telegram = new FakeTelegram();
                var servers = new Servers(folder)) {
            // Given
            telegram.limits(Limits.TELEGRAM);
            Bot bot = telegram.bot(token, "parley_bot");
            Files.writeString(
                    folder.resolve("parley.yml"),
                    "telegram: [{ token: \"file:%s/token\", apiUrl: \"%s\", allowAll: true }]"
                            .formatted(folder, telegram.url()));
            Chat chat = bot.chat(telegram.user(1, "Ann"));
            try (var one = ParleyProcess.start(folder.resolve("one"), servers.environment("one", 1))) {
                bot.awaitPoll(SOON);
                try (var two = ParleyProcess.start(folder.resolve("two"), servers.environment("two", 1))) {
                    chat.says("!say before");
                    chat.awaitAnswer("before", SOON);

                    // When
                    var update = chat.says("!delay 3s\n!say through it all");
                    telegram.await(
                            () -> !chat.actions().isEmpty() && bot.pending().isEmpty(), SOON, chat::toString);
                    one.kill();
                    Instant killed = Instant.now();
                    int polls = bot.calls("getUpdates").size();
                    bot.redeliver(update);
                    bot.redeliver(update);
                    telegram.await(() -> bot.calls("getUpdates").size() > polls, SOON, chat::toString);
                    Duration failover = Duration.between(killed, Instant.now());
                    chat.says("!say after");
                    chat.awaitAnswer("after", SOON);

                    // Then
                    assertEquals(
                            List.of("before", "through it all", "after"),
                            chat.answers().stream()
                                    .map(message -> message.text())
                                    .filter(text -> !text.endsWith("…"))
                                    .toList());
                    assertTrue(failover.compareTo(Duration.ofSeconds(15)) < 0, "taken over after " + failover);
                    assertEquals(
                            3, two.api().list("/v1/sessions/telegram:1/turns").size());
                }
            }
        }
    }
}
