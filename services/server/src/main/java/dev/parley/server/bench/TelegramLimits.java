package dev.parley.server.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Rate limits of a bot: messages in any second, and in each chat a burst and then one a second. A bot that was told to
 * wait is refused until then.
 */
final class TelegramLimits {
    private static final long SECOND = 1_000_000_000L;
    private static final String BOT = "";

    private final int bot;
    private final int burst;
    private final Deque<Long> sends = new ArrayDeque<>();
    private final Map<String, Room> rooms = new HashMap<>();
    private final Map<String, Long> parked = new HashMap<>();

    /** What a chat has left. */
    private static final class Room {
        private double left;
        private long at;
    }

    TelegramLimits(int bot, int burst) {
        this.bot = bot;
        this.burst = burst;
    }

    /**
     * What becomes of a call.
     *
     * @param seconds 0, or those that the bot has to wait
     * @param again it had been told to wait, and did not
     */
    record Verdict(long seconds, boolean again) {}

    /** Takes the room that a call needs, where there is any. */
    synchronized Verdict take(String chat, boolean isSend, long now) {
        long told = Math.max(parked(chat, now), isSend ? parked(BOT, now) : 0);
        if (told > 0) {
            return new Verdict(seconds(told), true);
        }
        Room room = room(chat, now);
        if (room.left < 1) {
            return park(chat, now, (long) ((1 - room.left) * SECOND));
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
        room.left--;
        return new Verdict(0, false);
    }

    private Room room(String chat, long now) {
        Room room = rooms.computeIfAbsent(chat, _ -> {
            var full = new Room();
            full.left = burst;
            full.at = now;
            return full;
        });
        room.left = Math.min(burst, room.left + (now - room.at) / (double) SECOND);
        room.at = now;
        return room;
    }

    private long parked(String who, long now) {
        return parked.getOrDefault(who, now) - now;
    }

    private Verdict park(String who, long now, long nanos) {
        long wait = seconds(nanos);
        parked.put(who, now + wait * SECOND);
        return new Verdict(wait, false);
    }

    private static long seconds(long nanos) {
        return Math.max(1, (nanos + SECOND - 1) / SECOND);
    }
}
