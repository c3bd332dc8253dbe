package dev.parley.channels.bots.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Limits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rate limits hold although a call may arrive at any time between its start and its answer. */
class ChatRateLimiterTest {
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final Limits limits = new Limits(3, 2, 1, PERIOD, Duration.ofSeconds(1));
    private final BotRateLimiter bot = new BotRateLimiter(limits.bot());
    private final ChatRateLimiter chat = new ChatRateLimiter(bot, limits);

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void assertAtLeast(Duration minimum, Duration actual) {
        assertTrue(actual.compareTo(minimum) >= 0, actual.toString());
    }

    @Test
    void messageUsesTheBotLimitUntilASecondAfterItsAnswer() throws InterruptedException {
        // Given
        bot.await();
        bot.await();
        bot.await();
        assertFalse(bot.tryAcquire());

        // When
        long answered = System.nanoTime();
        bot.onSendEnded();

        // Then
        assertFalse(bot.tryAcquire(), "the answer came, but the second did not go by");
        bot.await();
        assertAtLeast(Duration.ofSeconds(1), since(answered));
    }

    @Test
    void slowCallDoesNotFreeCapacityOfItsChat() throws InterruptedException {
        // Given
        chat.awaitEdit();
        long slow = System.nanoTime();
        while (since(slow).compareTo(PERIOD) < 0) {
            Thread.onSpinWait(); // a slow call, which arrives late
        }
        chat.onEditEnded();
        chat.awaitEdit();

        // When
        long answered = System.nanoTime();
        chat.onEditEnded();
        chat.awaitEdit();

        // Then
        assertAtLeast(PERIOD.dividedBy(2), since(answered));
    }

    @Test
    void waitingForTheBotLimitUsesNoCapacityOfTheChat() throws InterruptedException {
        // Given
        bot.await();
        bot.await();
        bot.await();

        // When
        boolean hasRoom = chat.tryAcquire(true);

        // Then
        assertFalse(hasRoom);
        assertTrue(chat.tryAcquire(false), "nothing of the chat's room is lost");
        chat.onEditEnded();
        assertFalse(chat.tryAcquire(false), "one is kept back");
    }

    @Test
    void sendsNothingBeforeTheRetryAfterTime() throws InterruptedException {
        // When
        long start = System.nanoTime();
        chat.backOff(Duration.ofMillis(300));

        // Then
        assertTrue(chat.isBackingOff());
        assertFalse(chat.tryAcquire(false));
        chat.awaitMessage();
        chat.onSendEnded();
        assertTrue(since(start).toNanos() >= TimeUnit.MILLISECONDS.toNanos(300));
    }

    @Test
    void backsOffTheWholeBotIfSeveralChatsAreThrottled() throws InterruptedException {
        // Given
        Duration time = Duration.ofMillis(400);
        chat.backOff(time);
        chat.backOff(time);
        another().backOff(time);
        ChatRateLimiter innocent = another();
        assertTrue(innocent.tryAcquire(true), "two chats are two chats");
        innocent.onSendEnded();

        // When
        long start = System.nanoTime();
        another().backOff(time);

        // Then
        assertFalse(another().tryAcquire(true));
        another().awaitMessage();
        assertAtLeast(time, since(start));
    }

    private ChatRateLimiter another() {
        return new ChatRateLimiter(bot, limits);
    }
}
