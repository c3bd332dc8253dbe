package dev.parley.channels.bots.delivery;

import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Open turns and replies of the bots that run here, with their age; at most the newest 10,000 of each bot. */
public final class OpenTurns {
    private static final int MAX_OPEN = 10_000;
    private static final Duration MAX_AGE = Duration.ofHours(2);

    private final Map<String, Map<UUID, Instant>> bots = new ConcurrentHashMap<>();

    /** This instance owns the bot. */
    void open(String bot) {
        bots.put(bot, Collections.synchronizedMap(new BoundedMap<>(MAX_OPEN)));
    }

    /** Another instance owns the bot. */
    void close(String bot) {
        bots.remove(bot);
    }

    /** A turn or reply is open since then. */
    public void add(String bot, UUID id, Instant since) {
        of(bot).putIfAbsent(id, since);
    }

    /** The turn or reply is complete. */
    public void remove(String bot, UUID id) {
        of(bot).remove(id);
    }

    /**
     * The start of the oldest open turn or reply, or now. Entries older than the longest turn are dropped, because
     * their end was missed.
     */
    Instant oldest(String bot, Instant now) {
        var waiting = of(bot);
        synchronized (waiting) {
            waiting.values().removeIf(since -> since.isBefore(now.minus(MAX_AGE)));
            return waiting.values().stream().reduce(now, (a, b) -> a.isBefore(b) ? a : b);
        }
    }

    private Map<UUID, Instant> of(String bot) {
        return bots.getOrDefault(bot, new ConcurrentHashMap<>());
    }
}
