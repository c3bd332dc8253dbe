package dev.parley.channels.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.testkit.telegram.Call;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BotApiTest {
    private static ObjectNode to(String chat) {
        return BotApi.params(new ConversationAddress("telegram", chat, null)).put("text", "hi");
    }

    @Test
    @Tag("P49")
    void sharesTheBackoffOfAChatWithinABot() throws Exception {
        var now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
        var backoff = new ChatBackoff(now::get);
        try (var telegram = new FakeTelegram();
                var first = new BotApi(telegram.url(), () -> "1:token", backoff);
                var second = new BotApi(telegram.url(), () -> "1:token", backoff)) {
            // Given
            telegram.bot("1:token", "parley_bot");
            telegram.failNext(
                    "editMessageText",
                    1,
                    429,
                    "Too Many Requests: retry after 3",
                    JsonNodeFactory.instance.objectNode().put("retry_after", 3));
            assertThrows(BotApiException.class, () -> first.call("editMessageText", to("7").put("message_id", 1)));

            // When
            now.set(now.get().plusSeconds(1));
            var refused = assertThrows(BotApiException.class, () -> second.call("sendMessage", to("7")));

            // Then nobody has asked
            assertEquals(Duration.ofSeconds(2), refused.retryAfter());
            assertEquals(0, sent(telegram));

            // When another chat is written to, or the time is over, Telegram says itself what it thinks
            assertThrows(BotApiException.class, () -> second.call("sendMessage", to("8")));
            now.set(now.get().plusSeconds(2));
            assertThrows(BotApiException.class, () -> second.call("sendMessage", to("7")));
            assertEquals(2, sent(telegram));
        }
    }

    private static long sent(FakeTelegram telegram) {
        return telegram.calls().stream()
                .map(Call::method)
                .filter("sendMessage"::equals)
                .count();
    }
}
