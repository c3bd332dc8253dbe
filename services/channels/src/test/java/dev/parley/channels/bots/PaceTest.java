package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Limits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls may arrive at any time between their beginning and their answer; whenever that is, there are not too many. */
class PaceTest {
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final Limits limits = new Limits(3, 2, 1, PERIOD, Duration.ofSeconds(1));
    private final BotRate rate = new BotRate(limits.bot());
    private final Pace pace = new Pace(rate, limits);

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void assertAtLeast(Duration wanted, Duration was) {
        assertTrue(was.compareTo(wanted) >= 0, was.toString());
    }

    @Test
    void aMessageCountsForTheBotUntilASecondAfterItsAnswer() throws InterruptedException {
        // Given
        rate.await();
        rate.await();
        rate.await();
        assertFalse(rate.take());

        // When
        long answered = System.nanoTime();
        rate.sent();

        // Then
        assertFalse(rate.take(), "the answer came, but the second did not go by");
        rate.await();
        assertAtLeast(Duration.ofSeconds(1), since(answered));
    }

    @Test
    void theTimeOfACallMakesNoRoomInItsChat() throws InterruptedException {
        // Given
        pace.awaitChange();
        long slow = System.nanoTime();
        while (since(slow).compareTo(PERIOD) < 0) {
            Thread.onSpinWait(); // a call that takes long, and arrives late
        }
        pace.changed();
        pace.awaitChange();

        // When
        long answered = System.nanoTime();
        pace.changed();
        pace.awaitChange();

        // Then
        assertAtLeast(PERIOD.dividedBy(2), since(answered));
    }

    @Test
    void whoWaitsForTheBotTakesNoRoomOfAChatThatIsLeftAlone() throws InterruptedException {
        // Given
        rate.await();
        rate.await();
        rate.await();

        // When
        boolean hasRoom = pace.hasRoom(true);

        // Then
        assertFalse(hasRoom);
        assertTrue(pace.hasRoom(false), "nothing of the chat's room is lost");
        pace.changed();
        assertFalse(pace.hasRoom(false), "one is kept back");
    }

    @Test
    void nothingIsSentBeforeTheChannelPermitsIt() throws InterruptedException {
        // When
        long told = System.nanoTime();
        pace.park(Duration.ofMillis(300));

        // Then
        assertTrue(pace.isParked());
        assertFalse(pace.hasRoom(false));
        pace.awaitMessage();
        pace.sent();
        assertTrue(since(told).toNanos() >= TimeUnit.MILLISECONDS.toNanos(300));
    }

    @Test
    void severalChatsThatAreRefusedAtOnceMeanTheBot() throws InterruptedException {
        // Given
        Duration time = Duration.ofMillis(400);
        pace.park(time);
        pace.park(time);
        another().park(time);
        Pace innocent = another();
        assertTrue(innocent.hasRoom(true), "two chats are two chats");
        innocent.sent();

        // When
        long told = System.nanoTime();
        another().park(time);

        // Then
        assertFalse(another().hasRoom(true));
        another().awaitMessage();
        assertAtLeast(time, since(told));
    }

    private Pace another() {
        return new Pace(rate, limits);
    }
}
