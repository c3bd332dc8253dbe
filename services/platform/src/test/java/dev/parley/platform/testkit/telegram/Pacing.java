package dev.parley.platform.testkit.telegram;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Applies the rate limits to bots. Used under the lock. */
final class Pacing {
    private static final List<Window> TYPING = List.of(new Window(20, 5_000), new Window(40, 30_000));

    private record Window(int limit, long millis) {}

    private record ChatKey(Bot bot, long chatId) {}

    private static final class Bucket {
        private double tokens;
        private long time;
    }

    private final Map<ChatKey, Bucket> buckets = new HashMap<>();
    private final Map<Object, Deque<Long>> times = new HashMap<>();
    private final Map<ChatKey, Instant> parked = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();
    Limits limits = Limits.NONE;

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Rejects and records a call to a chat before its {@code retry_after} has passed. */
    void checkParked(Bot bot, long chatId, String method, Instant now) {
        Instant until = parked.get(new ChatKey(bot, chatId));
        if (until != null && now.isBefore(until)) {
            Duration early = Duration.between(now, until);
            violations.add(new Violation(bot, chatId, method, now, early));
            throw ApiError.tooMany(seconds(early.toMillis()));
        }
    }

    /** Rejects calls to a chat for this number of seconds. */
    void park(Bot bot, long chatId, Instant now, long seconds) {
        parked.merge(new ChatKey(bot, chatId), now.plusSeconds(seconds), (a, b) -> a.isAfter(b) ? a : b);
    }

    /**
     * Takes the capacity for a send or an edit.
     *
     * @throws ApiError if there is none
     */
    void take(Bot bot, Chat chat, int messages, boolean edit, Instant time) {
        long now = time.toEpochMilli();
        var key = new ChatKey(bot, chat.id());
        boolean forBot = limits.botPerSecond() > 0 && (!edit || limits.editsCountForBot());
        boolean forGroup = limits.groupPerMinute() > 0 && !chat.isPrivate();
        var second = new Window(limits.botPerSecond(), 1_000);
        var minute = new Window(limits.groupPerMinute(), 60_000);
        long wait = chatWait(key, now);
        wait = Math.max(wait, forBot ? wait(bot, second, messages, now) : 0);
        wait = Math.max(wait, forGroup ? wait(key, minute, messages, now) : 0);
        if (wait > 0) {
            throw ApiError.tooMany(seconds(wait));
        }
        if (limits.chatBurst() > 0) {
            buckets.get(key).tokens -= messages;
        }
        for (int i = 0; i < messages; i++) {
            times(bot).add(now);
            times(key).add(now);
        }
    }

    /** Takes the capacity for a chat action. */
    void takeTyping(Bot bot, Chat chat, Instant time) {
        if (limits.equals(Limits.NONE)) {
            return;
        }
        Object key = List.of(bot, chat.id(), "typing");
        for (Window window : TYPING) {
            long wait = wait(key, window, 1, time.toEpochMilli());
            if (wait > 0) {
                throw ApiError.tooMany(seconds(wait));
            }
        }
        times(key).add(time.toEpochMilli());
    }

    private long chatWait(ChatKey key, long now) {
        if (limits.chatBurst() == 0) {
            return 0;
        }
        double perMillisecond = 1.0 / limits.chatPace().toMillis();
        Bucket bucket = buckets.computeIfAbsent(key, p -> {
            var full = new Bucket();
            full.tokens = limits.chatBurst();
            full.time = now;
            return full;
        });
        bucket.tokens = Math.min(limits.chatBurst(), bucket.tokens + (now - bucket.time) * perMillisecond);
        bucket.time = now;
        return bucket.tokens >= 1 - 1e-9 ? 0 : Math.max(1, Math.round((1 - bucket.tokens) / perMillisecond));
    }

    private long wait(Object key, Window window, int messages, long now) {
        List<Long> recent =
                times(key).stream().filter(t -> t > now - window.millis()).toList();
        int excess = Math.min(recent.size(), recent.size() + messages - window.limit());
        return excess <= 0 ? 0 : recent.get(excess - 1) + window.millis() - now;
    }

    private Deque<Long> times(Object key) {
        return times.computeIfAbsent(key, k -> new ArrayDeque<>());
    }

    private static long seconds(long millis) {
        return Math.max(1, (millis + 999) / 1_000);
    }
}
