package dev.parley.channels.discord;

import dev.parley.channels.chat.SeenMessages;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The last message handled in each chat. Message ids grow with time across all of Discord, so those of other chats tell
 * from where an unknown chat may have missed messages.
 */
final class Positions {
    /** Key for all chats together. */
    private static final String ALL = "*";

    /** Older messages are not answered. */
    static final Duration OLD = Duration.ofDays(1);

    /** Tolerance for messages out of order, larger across chats. */
    private static final long CHAT_TOLERANCE = Duration.ofSeconds(5).toMillis() << 22;

    private static final long GLOBAL_TOLERANCE = Duration.ofMinutes(10).toMillis() << 22;
    private static final int MAX_RECENT = 10_000;
    private static final long EPOCH = 1_420_070_400_000L;

    private final SeenMessages stored;
    /** Evicted chats are fetched from the floor. */
    private final Map<String, Long> taken = new BoundedMap<>(MAX_RECENT);

    private final Map<Long, Boolean> recent = new BoundedMap<>(MAX_RECENT);
    /** Chats where the bot was addressed, which are persisted. */
    private final Set<String> remembered = Collections.newSetFromMap(new BoundedMap<>(MAX_RECENT));

    private final Set<String> changed = new HashSet<>();
    /** Everything before it was handled, in all chats; 0 on the first run. */
    private long floor;

    private long newest;
    /** True while no missed messages are being fetched, so that the floor rises with new messages. */
    private boolean settled;

    Positions(SeenMessages stored) {
        this.stored = stored;
    }

    /**
     * Loads the persisted positions. On its first run a bot has only missed the last moments.
     *
     * @throws IllegalStateException where they cannot be read now
     */
    synchronized void load(Instant now) {
        stored.last().forEach((chat, message) -> {
            long id = message.matches("\\d{1,19}") ? Long.parseLong(message) : 0;
            if (chat.equals(ALL)) {
                floor = Math.max(floor, id);
            } else {
                taken.merge(chat, id, Math::max);
                remembered.add(chat);
            }
        });
        if (floor == 0) {
            floor = at(now);
            changed.add(ALL);
        }
        newest = Math.max(newest, floor);
    }

    /** The smallest message id of an instant. */
    static long at(Instant time) {
        return Math.max(0, time.toEpochMilli() - EPOCH) << 22;
    }

    /** Chats that may have missed messages. */
    synchronized List<String> chats() {
        return List.copyOf(remembered);
    }

    synchronized boolean isRemembered(String chat) {
        return remembered.contains(chat);
    }

    /** Whether a message was handled recently. */
    synchronized boolean has(long message) {
        return recent.containsKey(message);
    }

    /** The message after which a chat may have missed messages. */
    synchronized long missedAfter(String chat, Instant now) {
        Long chatPosition = taken.get(chat);
        long after = chatPosition == null ? floor - GLOBAL_TOLERANCE : chatPosition - CHAT_TOLERANCE;
        return Math.max(after, at(now.minus(OLD)));
    }

    /** Reports that any chat may have missed messages. */
    synchronized void unsettle() {
        settled = false;
    }

    /** Reports that all missed messages were handled. */
    synchronized void settle() {
        settled = true;
        rise();
    }

    private void rise() {
        if (settled && newest > floor) {
            floor = newest;
            changed.add(ALL);
        }
    }

    /**
     * Persists the chat of a message that is addressed to the bot and about to be handled.
     *
     * @throws IllegalStateException where that cannot be written now
     */
    void rememberChat(String chat, long message) {
        if (!isRemembered(chat)) {
            stored.record(chat, Long.toString(message - 1));
            synchronized (this) {
                remembered.add(chat);
            }
        }
    }

    /** A message was handled or is irrelevant. */
    synchronized void markHandled(String chat, long message) {
        recent.put(message, true);
        taken.merge(chat, message, Math::max);
        newest = Math.max(newest, message);
        if (remembered.contains(chat)) {
            changed.add(chat);
        }
        rise();
    }

    /**
     * Persists the changes.
     *
     * @throws IllegalStateException where they cannot be written now
     */
    void save() {
        Map<String, Long> pending = new HashMap<>();
        synchronized (this) {
            changed.forEach(chat -> pending.put(chat, chat.equals(ALL) ? floor : taken.getOrDefault(chat, 0L)));
            changed.clear();
        }
        try {
            pending.forEach((chat, message) -> stored.record(chat, Long.toString(message)));
        } catch (IllegalStateException e) {
            synchronized (this) {
                changed.addAll(pending.keySet());
            }
            throw e;
        }
    }
}
