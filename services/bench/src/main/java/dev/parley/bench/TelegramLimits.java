package dev.parley.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Rate limits of a bot: messages in any second, and in each chat a burst and then one a second. A bot that calls before
 * the end of a wait is refused.
 */
final class TelegramLimits {
    private static final long SECOND = 1_000_000_000L;
    private static final String BOT = "";

    private final int bot;
    private final int burst;
    private final Deque<Long> sends = new ArrayDeque<>();
    private final Map<String, Bucket> buckets = new HashMap<>();
    private final Map<String, Long> parked = new HashMap<>();

    /** The token bucket of a chat. */
    private static final class Bucket {
        private double left;
        private long at;
    }

    TelegramLimits(int bot, int burst) {
        this.bot = bot;
        this.burst = burst;
    }

    /**
     * The decision about a call.
     *
     * @param seconds that the bot must wait, or 0
     * @param again whether the bot ignored a previous wait
     */
    record Verdict(long seconds, boolean again) {}

    /** Takes a token for a call, if there is one. */
    synchronized Verdict take(String chat, boolean isSend, long now) {
        long wait = Math.max(remainingPark(chat, now), isSend ? remainingPark(BOT, now) : 0);
        if (wait > 0) {
            return new Verdict(seconds(wait), true);
        }
        Bucket bucket = bucket(chat, now);
        if (bucket.left < 1) {
            return park(chat, now, (long) ((1 - bucket.left) * SECOND));
        }
        while (!sends.isEmpty() && now - sends.getFirst() >= SECOND) {
            sends.removeFirst();
        }
        if (isSend && sends.size() >= bot) {
            return park(BOT, now, sends.getFirst() + SECOND - now);
        }
        if (isSend) {
            sends.addLast(now);
        }
        bucket.left--;
        return new Verdict(0, false);
    }

    private Bucket bucket(String chat, long now) {
        Bucket bucket = buckets.computeIfAbsent(chat, _ -> {
            var full = new Bucket();
            full.left = burst;
            full.at = now;
            return full;
        });
        bucket.left = Math.min(burst, bucket.left + (now - bucket.at) / (double) SECOND);
        bucket.at = now;
        return bucket;
    }

    private long remainingPark(String key, long now) {
        return parked.getOrDefault(key, now) - now;
    }

    private Verdict park(String key, long now, long nanos) {
        long wait = seconds(nanos);
        parked.put(key, now + wait * SECOND);
        return new Verdict(wait, false);
    }

    private static long seconds(long nanos) {
        return Math.max(1, (nanos + SECOND - 1) / SECOND);
    }
}
