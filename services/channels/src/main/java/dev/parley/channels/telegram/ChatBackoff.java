package dev.parley.channels.telegram;

import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * Chats of a bot that want to be left alone for a while. Whichever call hears it, all calls of this process heed it: replies and
 * the answers to pressed buttons take ways of their own to the same chat.
 */
final class ChatBackoff {
    private static final int MOST = 10_000;

    private final InstantSource clock;
    private final Map<Long, Instant> until = Collections.synchronizedMap(new NewestMap<>(MOST));

    ChatBackoff(InstantSource clock) {
        this.clock = clock;
    }

    /** How long a chat still rests; empty where it does not. */
    Optional<Duration> left(long chat) {
        Instant end = until.get(chat);
        Instant now = clock.instant();
        return end != null && end.isAfter(now) ? Optional.of(Duration.between(now, end)) : Optional.empty();
    }

    void rest(long chat, Duration time) {
        until.merge(chat, clock.instant().plus(time), (a, b) -> a.isAfter(b) ? a : b);
    }
}
