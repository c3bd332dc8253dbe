package dev.parley.channels.bots;

import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Which turns and replies of the bots that this instance owns are not done, and since when. The newest are known of each bot. */
final class OpenTurns {
    private static final int MOST = 10_000;
    private static final Duration LONGEST = Duration.ofHours(2);

    private final Map<String, Map<UUID, Instant>> bots = new ConcurrentHashMap<>();

    /** This instance owns the bot now. */
    void open(String bot) {
        bots.put(bot, Collections.synchronizedMap(new NewestMap<>(MOST)));
    }

    /** The bot is somebody else's now. */
    void close(String bot) {
        bots.remove(bot);
    }

    /** Somebody waits for this, a turn or a reply, since then. */
    void waits(String bot, UUID id, Instant since) {
        of(bot).putIfAbsent(id, since);
    }

    /** Nobody waits for it any more. */
    void done(String bot, UUID id) {
        of(bot).remove(id);
    }

    /** Since when somebody waits, or now. What is older than any turn is forgotten: its end was not heard. */
    Instant oldest(String bot, Instant now) {
        var waiting = of(bot);
        synchronized (waiting) {
            waiting.values().removeIf(since -> since.isBefore(now.minus(LONGEST)));
            return waiting.values().stream().reduce(now, (a, b) -> a.isBefore(b) ? a : b);
        }
    }

    private Map<UUID, Instant> of(String bot) {
        return bots.getOrDefault(bot, new ConcurrentHashMap<>());
    }
}
