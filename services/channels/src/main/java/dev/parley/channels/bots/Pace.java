package dev.parley.channels.bots;

import dev.parley.channels.contract.Limits;
import java.time.Duration;

/**
 * How fast one conversation may be written to: what the channel permits there, what its bot has left, and when it wants to be
 * left alone. Whoever waits for the bot's share waits in turn, so no chat starves another. After each call it is told that
 * the call ended.
 */
final class Pace {
    private final BotRate bot;
    private final ChatRate chat;
    private volatile long parkedUntil = System.nanoTime();

    Pace(BotRate bot, Limits limits) {
        this.bot = bot;
        this.chat = new ChatRate(limits);
    }

    /** Waits until a new message may be sent. */
    void awaitMessage() throws InterruptedException {
        awaitChange();
        bot.await();
        chat.begins();
    }

    /** A new message was sent, or was not. */
    void sent() {
        bot.sent();
        chat.ended();
    }

    /** Waits until a message may be changed. */
    void awaitChange() throws InterruptedException {
        chat.await();
        long left = readyAt() - System.nanoTime();
        while (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
            left = readyAt() - System.nanoTime();
        }
        chat.begins();
    }

    /** A message was changed, or was not. */
    void changed() {
        chat.ended();
    }

    /** Whether something that may as well be left out can be done now; one call is kept back for what may not. */
    boolean hasRoom(boolean newMessage) throws InterruptedException {
        if (isParked() || !chat.take()) {
            return false;
        }
        if (newMessage && !bot.take()) {
            chat.giveBack();
            return false;
        }
        return true;
    }

    /** The channel wants to be left alone. */
    void park(Duration time) {
        parkedUntil = Math.max(parkedUntil, System.nanoTime() + time.toNanos());
        bot.refused(this, time);
    }

    boolean isParked() {
        return readyAt() - System.nanoTime() > 0;
    }

    /** When the channel is ready to be written to again, in the past where it is, by {@link System#nanoTime()}. */
    long readyAt() {
        long whole = bot.parkedUntil();
        return whole - parkedUntil > 0 ? whole : parkedUntil;
    }
}
