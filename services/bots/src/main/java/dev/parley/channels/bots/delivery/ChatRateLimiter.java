package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.Limits;
import java.time.Duration;

/**
 * Combined rate limit of one conversation: the channel's limits there, the limit of its bot, and requested back-off.
 * Conversations wait for the bot's limit in order, so none starves another. Each call is reported when it ends.
 */
final class ChatRateLimiter {
    private final BotRateLimiter bot;
    private final ChatTokenBucket chat;
    private volatile long backOffUntil = System.nanoTime();

    ChatRateLimiter(BotRateLimiter bot, Limits limits) {
        this.bot = bot;
        this.chat = new ChatTokenBucket(limits);
    }

    /** Waits until a new message may be sent. */
    void awaitMessage() throws InterruptedException {
        awaitEdit();
        bot.await();
        chat.onCallBegun();
    }

    /** Reports that the attempt to send a new message ended. */
    void onSendEnded() {
        bot.onSendEnded();
        chat.onCallEnded();
    }

    /** Waits until a message may be edited. */
    void awaitEdit() throws InterruptedException {
        chat.await();
        long remaining = readyAt() - System.nanoTime();
        while (remaining > 0) {
            Thread.sleep(Duration.ofNanos(remaining));
            remaining = readyAt() - System.nanoTime();
        }
        chat.onCallBegun();
    }

    /** Reports that the attempt to edit a message ended. */
    void onEditEnded() {
        chat.onCallEnded();
    }

    /** Whether an optional call can be made now; one call is reserved for those that are not optional. */
    boolean tryAcquire(boolean newMessage) throws InterruptedException {
        if (isBackingOff() || !chat.tryTake()) {
            return false;
        }
        if (newMessage && !bot.tryAcquire()) {
            chat.putBack();
            return false;
        }
        return true;
    }

    /** The platform asks to back off. */
    void backOff(Duration time) {
        backOffUntil = Math.max(backOffUntil, System.nanoTime() + time.toNanos());
        bot.onRateLimited(this, time);
    }

    boolean isBackingOff() {
        return readyAt() - System.nanoTime() > 0;
    }

    /** End of the back-off, by {@link System#nanoTime()}; in the past where there is none. */
    long readyAt() {
        long botReadyAt = bot.backOffUntil();
        return botReadyAt - backOffUntil > 0 ? botReadyAt : backOffUntil;
    }
}
