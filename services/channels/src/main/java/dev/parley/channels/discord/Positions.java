package dev.parley.channels.discord;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Memory;
import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which message of each chat was taken in last. Ids of messages grow with the time, in all of Discord, so one of another chat tells from where on
 * something can have been missed in a chat that nobody has heard of.
 */
final class Positions {
    /** Stands for all chats together. */
    private static final String ALL = "*";

    /** What is older is not answered any more. */
    static final Duration OLD = Duration.ofDays(1);

    /** Messages come a little out of order: more so those of different chats. */
    private static final long OF_ONE = Duration.ofSeconds(5).toMillis() << 22;

    private static final long OF_ALL = Duration.ofMinutes(10).toMillis() << 22;
    private static final int RECENT = 10_000;
    private static final long EPOCH = 1_420_070_400_000L;

    private final String bot;
    private final Memory memory;
    /** What falls out of it is asked for from the floor on. */
    private final Map<String, Long> taken = new NewestMap<>(RECENT);

    private final Map<Long, Boolean> recent = new NewestMap<>(RECENT);
    /** Chats that are remembered: those where the bot was meant. */
    private final Set<String> remembered = Collections.newSetFromMap(new NewestMap<>(RECENT));

    private final Set<String> changed = new HashSet<>();
    /** What came before is taken in, in all chats; 0 where the bot has never heard anything. */
    private long floor;

    private long newest;
    /** Whether nothing is asked for any more that was missed, so that the floor rises with what comes. */
    private boolean settled;

    Positions(String bot, Memory memory) {
        this.bot = bot;
        this.memory = memory;
    }

    /**
     * Reads what is remembered. The first time that a bot runs, it has heard everything but what came a moment ago.
     *
     * @throws IllegalStateException where that cannot be read now
     */
    synchronized void load(Instant now) {
        memory.seen(bot).forEach((chat, message) -> {
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

    /** The first id that a message of this moment can have. */
    static long at(Instant time) {
        return Math.max(0, time.toEpochMilli() - EPOCH) << 22;
    }

    /** Chats in which something may have been missed. */
    synchronized List<String> chats() {
        return List.copyOf(remembered);
    }

    synchronized boolean isRemembered(String chat) {
        return remembered.contains(chat);
    }

    /** Whether a message was taken in a short while ago. */
    synchronized boolean has(long message) {
        return recent.containsKey(message);
    }

    /** After which message something may have been missed in a chat. */
    synchronized long missedAfter(String chat, Instant now) {
        Long own = taken.get(chat);
        long after = own == null ? floor - OF_ALL : own - OF_ONE;
        return Math.max(after, at(now.minus(OLD)));
    }

    /** Something may have been missed anywhere. */
    synchronized void unsettle() {
        settled = false;
    }

    /** All that was missed is taken in. */
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
     * A message is meant for the bot and is about to be taken in: from now on its chat is remembered.
     *
     * @throws IllegalStateException where that cannot be written now
     */
    void meant(String chat, long message) {
        if (!isRemembered(chat)) {
            memory.seen(new ConversationAddress(bot, chat, null), Long.toString(message - 1));
            synchronized (this) {
                remembered.add(chat);
            }
        }
    }

    /** A message was taken in, or is none of the bot's business. */
    synchronized void taken(String chat, long message) {
        recent.put(message, true);
        taken.merge(chat, message, Math::max);
        newest = Math.max(newest, message);
        if (remembered.contains(chat)) {
            changed.add(chat);
        }
        rise();
    }

    /** Writes down what has changed. @throws IllegalStateException where that cannot be written now */
    void save() {
        Map<String, Long> wanted = new HashMap<>();
        synchronized (this) {
            changed.forEach(chat -> wanted.put(chat, chat.equals(ALL) ? floor : taken.getOrDefault(chat, 0L)));
            changed.clear();
        }
        try {
            wanted.forEach(
                    (chat, message) -> memory.seen(new ConversationAddress(bot, chat, null), Long.toString(message)));
        } catch (IllegalStateException e) {
            synchronized (this) {
                changed.addAll(wanted.keySet());
            }
            throw e;
        }
    }
}
