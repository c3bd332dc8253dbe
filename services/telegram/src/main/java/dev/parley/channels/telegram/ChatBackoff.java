package dev.parley.channels.telegram;

import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * Rate-limited chats of a bot, shared by all clients of it in this process: replies and acknowledgements of buttons use
 * different ones.
 */
final class ChatBackoff {
    private static final int MAX_CHATS = 10_000;

    private final InstantSource clock;
    private final Map<Long, Instant> until = Collections.synchronizedMap(new BoundedMap<>(MAX_CHATS));

    ChatBackoff(InstantSource clock) {
        this.clock = clock;
    }

    /** The remaining back-off of a chat; empty for none. */
    Optional<Duration> remainingBackOff(long chat) {
        Instant end = until.get(chat);
        Instant now = clock.instant();
        return end != null && end.isAfter(now) ? Optional.of(Duration.between(now, end)) : Optional.empty();
    }

    void backOff(long chat, Duration time) {
        until.merge(chat, clock.instant().plus(time), (a, b) -> a.isAfter(b) ? a : b);
    }
}
