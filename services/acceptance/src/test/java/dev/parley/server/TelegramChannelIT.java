package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import dev.parley.platform.testkit.telegram.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

/** The channel contract for Telegram. */
class TelegramChannelIT extends SendingChannelContract {
    private static final String TOKEN = "123456:AAcontract-token_0123456789";

    private FakeTelegram telegram;
    private Bot bot;
    private long people = 5_000;

    @Override
    String begin(Path folder) throws IOException {
        telegram = new FakeTelegram();
        telegram.limits(Limits.TELEGRAM);
        bot = telegram.bot(TOKEN, "parley_bot");
        Files.writeString(folder.resolve("token"), TOKEN);
        return "telegram: [{ token: \"file:%s/token\", apiUrl: \"%s\", allowAll: true }]"
                .formatted(folder, telegram.url());
    }

    @Override
    void connected(Api api) {
        bot.awaitPoll(SOON);
    }

    @Override
    void end() {
        telegram.close();
    }

    @AfterEach
    void nothingWasSentTooEarly() {
        assertEquals(List.of(), telegram.violations());
    }

    @Override
    Closable conversation() {
        Chat chat = bot.chat(telegram.user(++people, "Ann"));
        return new Closable() {
            @Override
            public String session() {
                return "telegram:" + chat.id();
            }

            @Override
            public Runnable says(String text) {
                var update = chat.says(text);
                return () -> bot.redeliver(update);
            }

            @Override
            public void awaitNotTaken() {
                int before = bot.calls("getUpdates").size();
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> bot.calls("getUpdates").size() >= before + 2);
                assertFalse(bot.pending().isEmpty());
            }

            @Override
            public void comesAgain() {
                // unconfirmed updates are fetched again
            }

            @Override
            public List<String> shown() {
                return chat.answers().stream().map(Message::text).toList();
            }

            @Override
            public void closes() {
                chat.blocks();
            }
        };
    }

    @Override
    void failsNext(int times, int status, String message) {
        telegram.failNext("sendMessage", times, status, message);
    }

    @Override
    void isTooFast(Duration wait) {
        var parameters = new ObjectMapper().createObjectNode().put("retry_after", wait.toSeconds());
        telegram.failNext("sendMessage", 1, 429, "Too Many Requests: retry after " + wait.toSeconds(), parameters);
    }

    @Override
    void cutsNext() {
        telegram.cutAfter("sendMessage");
    }

    @Override
    String secret() {
        return TOKEN;
    }
}
