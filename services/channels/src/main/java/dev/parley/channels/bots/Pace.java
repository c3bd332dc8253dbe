package dev.parley.channels.bots;

import dev.parley.channels.contract.Limits;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/**
 * How fast one conversation may be written to: what the channel permits there, what its bot has left, and when it wants to be
 * left alone. Whoever waits for the bot's share waits in turn, so no chat starves another.
 */
final class Pace {
    private final Bucket bot;
    private final Bucket chat;
    private volatile long parkedUntil = System.nanoTime();

    Pace(Bucket bot, Limits limits) {
        this.bot = bot;
        this.chat = Bucket.builder()
                .addLimit(limit -> limit.capacity(limits.burst())
                        .refillGreedy(limits.calls(), limits.period())
                        .initialTokens(limits.burst()))
                .build();
    }

    /** The share of all conversations of a bot. */
    static Bucket bot(Limits limits) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(limits.bot()).refillGreedy(limits.bot(), Duration.ofSeconds(1)))
                .build();
    }

    /** Waits until a new message may be sent. */
    void awaitMessage() throws InterruptedException {
        awaitChange();
        bot.asBlocking().consume(1);
    }

    /** Waits until a message may be changed. */
    void awaitChange() throws InterruptedException {
        chat.asBlocking().consume(1);
        long left = parkedUntil - System.nanoTime();
        while (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
            left = parkedUntil - System.nanoTime();
        }
    }

    /** Whether something that may as well be left out can be done now; one call is kept back for what may not. */
    boolean hasRoom(boolean newMessage) {
        if (parkedUntil - System.nanoTime() > 0 || chat.getAvailableTokens() < 2) {
            return false;
        }
        return (!newMessage || bot.tryConsume(1)) && chat.tryConsume(1);
    }

    /** The channel wants to be left alone. */
    void park(Duration time) {
        parkedUntil = Math.max(parkedUntil, System.nanoTime() + time.toNanos());
    }

    boolean isParked() {
        return parkedUntil - System.nanoTime() > 0;
    }

    /** When the channel is ready to be written to again, in the past where it is, by {@link System#nanoTime()}. */
    long readyAt() {
        return parkedUntil;
    }
}
