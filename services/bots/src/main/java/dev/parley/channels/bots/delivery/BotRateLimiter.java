package dev.parley.channels.bots.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Rate limit of a bot over all its conversations, in messages per second. The arrival of a message is only known to lie
 * before its answer, so it counts until a second after that: however calls are delayed, no second has too many.
 */
final class BotRateLimiter {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** Number of conversations refused within {@link #TOGETHER} from which the whole bot counts as rate limited. */
    private static final int SEVERAL = 3;

    private static final Duration TOGETHER = Duration.ofSeconds(5);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private final Semaphore permits;
    /** Times from which the free permits may be used, the earliest first. */
    private final Deque<Long> usable = new ConcurrentLinkedDeque<>();

    private final Deque<Refusal> refusals = new ArrayDeque<>();
    private volatile long backOffUntil = System.nanoTime();

    private record Refusal(Object conversation, long at) {}

    BotRateLimiter(int limit) {
        permits = new Semaphore(limit, true);
        for (int i = 0; i < limit; i++) {
            usable.add(System.nanoTime());
        }
    }

    /** Waits, in order, until a message may be sent. The caller reports with {@link #onSendEnded()}. */
    void await() throws InterruptedException {
        permits.acquire();
        long usableAt = usable.remove();
        try {
            TimeUnit.NANOSECONDS.sleep(Math.max(usableAt - System.nanoTime(), backOffLeft()));
        } catch (InterruptedException e) {
            putBack(usableAt);
            throw e;
        }
    }

    /**
     * The platform rate limited this conversation. It does not say whether it means the conversation or the bot: where
     * several are refused at once, it is the bot.
     */
    synchronized void onRateLimited(Object conversation, Duration time) {
        long now = System.nanoTime();
        refusals.removeIf(refusal -> now - refusal.at() > TOGETHER.toNanos() || refusal.conversation() == conversation);
        refusals.add(new Refusal(conversation, now));
        if (refusals.size() >= SEVERAL) {
            backOffUntil = Math.max(backOffUntil, now + Math.min(time.toNanos(), MAX_BACKOFF.toNanos()));
        }
    }

    /** End of the back-off of the whole bot, by {@link System#nanoTime()}. */
    long backOffUntil() {
        return backOffUntil;
    }

    private long backOffLeft() {
        return backOffUntil - System.nanoTime();
    }

    /** Takes a permit without waiting, and without overtaking a waiting thread. */
    boolean tryAcquire() throws InterruptedException {
        if (!permits.tryAcquire(0, TimeUnit.SECONDS)) {
            return false;
        }
        long usableAt = usable.remove();
        if (usableAt - System.nanoTime() > 0 || backOffLeft() > 0) {
            putBack(usableAt);
            return false;
        }
        return true;
    }

    private void putBack(long usableAt) {
        usable.addFirst(usableAt);
        permits.release();
    }

    /** Reports that the attempt to send ended, with or without success. */
    void onSendEnded() {
        usable.addLast(System.nanoTime() + PERIOD.toNanos());
        permits.release();
    }
}
