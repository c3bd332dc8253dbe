package dev.parley.channels.bots;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * What a bot may send in any second, to all conversations together. When a message arrives is only known to be before its
 * answer, so it counts until a second after that: however calls are delayed on their way, no second has too many.
 */
final class BotRate {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** So many conversations refused within {@link #TOGETHER} mean the bot, not them. */
    private static final int SEVERAL = 3;

    private static final Duration TOGETHER = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Semaphore places;
    /** When each free place may be used, the earliest first. There are as many as permits. */
    private final Deque<Long> usable = new ConcurrentLinkedDeque<>();

    private final Deque<Refusal> refusals = new ArrayDeque<>();
    private volatile long parkedUntil = System.nanoTime();

    private record Refusal(Object conversation, long at) {}

    BotRate(int most) {
        places = new Semaphore(most, true);
        for (int i = 0; i < most; i++) {
            usable.add(System.nanoTime());
        }
    }

    /** Waits, in turn, until a message may be sent. Who was let through says when it {@link #sent()} it. */
    void await() throws InterruptedException {
        places.acquire();
        long at = usable.remove();
        try {
            TimeUnit.NANOSECONDS.sleep(Math.max(at - System.nanoTime(), parked()));
        } catch (InterruptedException e) {
            giveBack(at);
            throw e;
        }
    }

    /**
     * The channel wanted this conversation to be left alone. It does not say whether it means that or the bot: where several
     * are refused at once, it is the bot.
     */
    synchronized void refused(Object conversation, Duration time) {
        long now = System.nanoTime();
        refusals.removeIf(one -> now - one.at() > TOGETHER.toNanos() || one.conversation() == conversation);
        refusals.add(new Refusal(conversation, now));
        if (refusals.size() >= SEVERAL) {
            parkedUntil = Math.max(parkedUntil, now + Math.min(time.toNanos(), LONGEST.toNanos()));
        }
    }

    /** Until when the whole bot is to be left alone, by {@link System#nanoTime()}. */
    long parkedUntil() {
        return parkedUntil;
    }

    private long parked() {
        return parkedUntil - System.nanoTime();
    }

    /** Whether a message may be sent at once, without passing over anybody who waits. */
    boolean take() throws InterruptedException {
        if (!places.tryAcquire(0, TimeUnit.SECONDS)) {
            return false;
        }
        long at = usable.remove();
        if (at - System.nanoTime() > 0 || parked() > 0) {
            giveBack(at);
            return false;
        }
        return true;
    }

    private void giveBack(long at) {
        usable.addFirst(at);
        places.release();
    }

    /** A message was sent, or was not, as far as is known. */
    void sent() {
        usable.addLast(System.nanoTime() + PERIOD.toNanos());
        places.release();
    }
}
